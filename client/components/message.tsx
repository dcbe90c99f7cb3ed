import { product } from '#config/product.ts'
import type { Reason } from '#contract/refusals.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { Values } from '#locales/translator.ts'
import type { ComponentProps, ReactNode } from 'react'
import type { CallError } from '../api/post.ts'
import { needsSecondStep } from '../api/second-step.ts'
import { isMessageKey, useT, type Translate } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { classes, tones } from './classes.ts'
import { SupportAddress } from './support-address.tsx'

type MessageProps = {
  tone: keyof typeof tones
  title?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

/** Put messages that come and go into a `LiveRegion`, so that screen readers announce them. */
export function Message({ tone, title, action, children }: MessageProps) {
  return (
    <div
      className={classes(
        'flex animate-appear flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-notice px-4 py-3 forced-colors:border',
        tones[tone],
      )}
    >
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {title && <p className="font-semibold">{title}</p>}
        {children && <p className={title ? 'text-small' : 'font-medium'}>{children}</p>}
      </div>
      {action}
    </div>
  )
}

/** A region that stays while it is empty, so that screen readers announce what appears in it. */
export function LiveRegion({ className, ...props }: ComponentProps<'div'>) {
  return <div {...props} aria-live="polite" className={classes('empty:sr-only', className)} />
}

/** Reasons whose text needs no title that says what failed. */
const complete = new Set<CallError['reason']>([
  'alreadyInvited',
  'alreadyMember',
  'auth/email-already-in-use',
  'auth/password-does-not-meet-requirements',
  'cardDeclined',
  'emailUnchanged',
  'exportInProgress',
  'inviteeBusy',
  'inviteeMoved',
  'lookOnly',
  'seatsFull',
  'subscriptionCanceled',
  'tooManyProjects',
  'outcomeUnknown',
  'paymentDetailsNotSubmitted',
  'paymentMethodNotCreated',
  'noPaymentMethod',
  'paymentsBlocked',
])

/** Texts for refusal reasons that replace the general texts. */
export type ReasonWords = Partial<Record<Reason, MessageKey>>

type ProblemProps = {
  error: CallError | null | undefined
  failed?: MessageKey | undefined
  words?: ReasonWords | undefined
  retry?: (() => unknown) | undefined
  /** A link to where the user can go on. */
  action?: ReactNode
}

/**
 * Shows what failed, why, and what to do. Draws nothing without an error, nor if only the second
 * step is missing: the screen asks for that.
 */
export function Problem({ error, failed, words = {}, retry, action }: ProblemProps) {
  const t = useT()
  if (!error || needsSecondStep(error)) return null
  const own = words[error.reason as Reason]
  return (
    <Message
      tone="bad"
      title={failed && !own && !complete.has(error.reason) ? t(failed) : undefined}
      action={
        retry ? (
          <Button onClick={() => void retry()}>{t('common.tryAgain')}</Button>
        ) : (
          (action ?? (error.reason === 'auth/user-disabled' && <SupportAddress />))
        )
      }
    >
      {own ? t(own) : problemText(error, t)}
    </Message>
  )
}

/** A `Problem` that screen readers announce when it appears. */
export function LiveProblem({ className, ...problem }: ProblemProps & { className?: string }) {
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
  const text = t(`errors.${reason}`, details as Values)
  const { supportEmail: support } = product
  if (reason !== 'auth/user-disabled' || !support) return text
  return t('common.sentences', { first: text, second: t('errors.disabledWriteTo', { support }) })
}
