import { paths, projectPath } from '#contract/paths.ts'
import { Ban } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { useT } from '../i18n.ts'
import { useProject } from '../layouts/use-project.ts'

/** Closed in a canceled project, unless it is the open screen that cancels it. */
export function OnlyActive({ children }: { children: ReactNode }) {
  const { isActive } = useProject()
  const [wasActive] = useState(isActive)
  return wasActive ? children : <Canceled />
}

function Canceled() {
  const t = useT()
  const { subscription } = useProject()
  return (
    <>
      <PageTitle title={t('billing.title')} />
      <EmptyState
        icon={<Ban aria-hidden />}
        title={t('errors.subscriptionCanceled')}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink to={projectPath('billing', subscription.id)}>
              {t('billing.cancel.back')}
            </ButtonLink>
            <ButtonLink to={paths.profile}>{t('billing.cancel.toCards')}</ButtonLink>
          </div>
        }
      >
        {t('billing.cancel.over')}
      </EmptyState>
    </>
  )
}
