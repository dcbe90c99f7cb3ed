import { completeReasons } from '#contract/flags/refusals.ts'
import type { Reason } from '#contract/refusals.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { Values } from '#locales/translator.ts'
import type { CallError } from '../api/post.ts'
import { isMessageKey, useT, type Translate } from '../i18n.ts'
import { Button } from './button.tsx'
import { LiveRegion, Message } from './message.tsx'

/** Refusals that need no "failed to" before them. */
const complete: ReadonlySet<string> = new Set([
  ...completeReasons,
  'paymentDetailsNotSubmitted',
  'paymentMethodNotCreated',
  'noPaymentMethod',
])

/** The words for a reason where it means more than in general. */
export type ReasonWords = Partial<Record<Reason, MessageKey>>

type ProblemProps = {
  error: CallError | null | undefined
  failed?: MessageKey | undefined
  words?: ReasonWords | undefined
  retry?: (() => unknown) | undefined
}

/** Says what failed, why, and what to do. Draws nothing while nothing has failed. */
export function Problem({ error, failed, words = {}, retry }: ProblemProps) {
  const t = useT()
  if (!error) return null
  const own = words[error.reason as Reason]
  return (
    <Message
      tone="bad"
      title={failed && !own && !complete.has(error.reason) ? t(failed) : undefined}
      action={retry && <Button onClick={() => void retry()}>{t('common.tryAgain')}</Button>}
    >
      {own ? t(own) : problemText(error, t)}
    </Message>
  )
}

type LiveProblemProps = ProblemProps & { className?: string }

/** A problem that comes and goes, read out when it comes. */
export function LiveProblem({ className, ...problem }: LiveProblemProps) {
  return (
    <LiveRegion className={className}>
      <Problem {...problem} />
    </LiveRegion>
  )
}

export function problemText(
  { reason, details }: Pick<CallError, 'reason' | 'details'>,
  t: Translate,
) {
  const decline = `declines.${String(details['declineCode'])}`
  if (reason === 'cardDeclined' && isMessageKey(decline)) return t(decline)
  const unmet = `auth.passwordUnmet.${String(details['requirement'])}`
  if (reason === 'auth/password-does-not-meet-requirements' && isMessageKey(unmet)) return t(unmet)
  return t(`errors.${reason}`, details as Values)
}
