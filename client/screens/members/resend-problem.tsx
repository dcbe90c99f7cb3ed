import type { CallError } from '../../api/post.ts'
import { Message, Problem, problemText } from '../../components/message.tsx'
import { useT, type Translate } from '../../platform/i18n.ts'
import { SeatsMessage } from './seats.tsx'

/** The refusal of an invitation that was sent again a moment ago. */
export const tooSoon = 'auth/too-many-requests'

/** How long to wait after such a refusal. */
export function waitWords({ details }: CallError, t: Translate) {
  return t('users.resend.tooSoon', { count: Math.ceil(Number(details['retryAfter']) / 60) })
}

/** Says why an invitation was not sent again. */
export function ResendProblem({ error }: { error: CallError | undefined }) {
  const t = useT()
  if (error?.reason === 'seatsFull')
    return <SeatsMessage tone="warn" title={problemText(error, t)} />
  if (error?.reason !== tooSoon) return <Problem error={error} failed="users.resend.failed" />
  return (
    <Message tone="warn" title={t('users.resend.failed')}>
      {waitWords(error, t)}
    </Message>
  )
}
