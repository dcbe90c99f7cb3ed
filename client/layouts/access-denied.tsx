import { paths } from '#contract/paths.ts'
import { Lock } from 'lucide-react'
import { useSession } from '../api/use-session.tsx'
import { ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { useT } from '../i18n.ts'

/** Shown on the address of a project that the visitor is not a member of. */
export function AccessDenied() {
  const t = useT()
  const { user } = useSession()
  return (
    <>
      <PageTitle title={t('errors.accessDenied')} />
      <EmptyState
        icon={<Lock aria-hidden />}
        action={
          <ButtonLink to={paths.dashboard} variant="primary">
            {t('common.toProjects')}
          </ButtonLink>
        }
      >
        {t('project.denied', { email: user.email })}
      </EmptyState>
    </>
  )
}
