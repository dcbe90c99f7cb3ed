import { paths } from '#contract/paths.ts'
import { Lock } from 'lucide-react'
import { useAction } from '../api/call.ts'
import { useSession } from '../api/session.ts'
import { Breakable } from '../components/breakable.tsx'
import { Button, ButtonLink } from '../components/button.tsx'
import { EmptyState } from '../components/card.tsx'
import { LiveRegion, Message, Problem } from '../components/message.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { useT } from '../platform/i18n.ts'

const words = { 'auth/too-many-requests': 'project.ask.tooMany' } as const

type AccessDeniedProps = { id: string; isAsked: boolean; onAsked: () => void }

/** Stands in the place of a project that the user is not in. */
export function AccessDenied({ id, isAsked, onAsked }: AccessDeniedProps) {
  const t = useT()
  const { email } = useSession().user
  const { busy, error, run } = useAction('requestToJoin')
  return (
    <>
      <PageTitle title={t('errors.accessDenied')} />
      <LiveRegion>
        <Problem error={error} failed="project.ask.failed" words={words} />
        {isAsked && (
          <Message tone="good">
            <Breakable text={t('project.ask.asked', { email })} />
          </Message>
        )}
      </LiveRegion>
      <EmptyState
        icon={<Lock />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {!isAsked && (
              <Button busy={busy} onClick={() => void run({ subscriptionId: id }, onAsked)}>
                {t('project.ask.action')}
              </Button>
            )}
            <ButtonLink to={paths.dashboard} variant="primary">
              {t('common.toProjects')}
            </ButtonLink>
          </div>
        }
      >
        <Breakable
          text={t('common.sentences', {
            first: t('project.denied', { email }),
            second: t('project.ask.text'),
          })}
        />
      </EmptyState>
    </>
  )
}
