import type { Subscription, SubscriptionUser } from '#contract/entities.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { useId, useState, type FormEvent } from 'react'
import { Avatar } from '../../components/avatar.tsx'
import { Breakable } from '../../components/breakable.tsx'
import { Button } from '../../components/button.tsx'
import { Checkbox, FieldError } from '../../components/fields.tsx'
import { CancelLink, FormActions } from '../../components/call-form.tsx'
import { Message } from '../../components/message.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { cardName, type Card } from './card-words.ts'
import { isOwnershipOffered } from './ownership-offer.tsx'
import { useTakesBack } from './planned.tsx'

type ChooseOwnerProps = {
  eligible: SubscriptionUser[]
  /** The card that the present owner may leave to the project. */
  card: Card | undefined
  onChoose: (to: SubscriptionUser, kept: Card | undefined) => void
  cancel: string
}

export function ChooseOwner({ eligible, card, onChoose, cancel }: ChooseOwnerProps) {
  const t = useT()
  const errorId = useId()
  const hintId = useId()
  const [isMissing, setMissing] = useState(false)
  const [keepsCard, setKeepsCard] = useState(false)
  const kept = keepsCard ? card : undefined

  function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const id = new FormData(form).get('newOwnerId')
    const user = eligible.find((user) => user.id === id)
    setMissing(!user)
    if (user) onChoose(user, kept)
    else form.querySelector<HTMLInputElement>('input:enabled')?.focus()
  }

  return (
    <form noValidate onSubmit={choose} onInput={() => setMissing(false)} className="grid gap-4">
      <Consequences kept={kept} />
      <fieldset
        role="radiogroup"
        aria-required
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? errorId : undefined}
      >
        <legend className="mb-1.5 text-small font-strong">{t('billing.transfer.choose')}</legend>
        <ul className="max-h-100 divide-y divide-line overflow-y-auto rounded-control border border-control">
          {eligible.map((user) => (
            <li key={user.id}>
              <Candidate user={user} />
            </li>
          ))}
        </ul>
        <FieldError id={errorId}>{isMissing && t('billing.transfer.mustChoose')}</FieldError>
      </fieldset>
      {card && (
        <div>
          <Checkbox
            checked={keepsCard}
            onChange={({ target }) => setKeepsCard(target.checked)}
            aria-describedby={hintId}
          >
            {t('billing.transfer.keepCard', { card: cardName(card) })}
          </Checkbox>
          <p id={hintId} className="ps-7 text-small text-soft">
            {t('billing.transfer.keepCardHint')}
          </p>
        </div>
      )}
      <FormActions>
        <CancelLink to={cancel}>{t('common.cancel')}</CancelLink>
        <Button type="submit" variant="primary" size="large">
          {t(isOwnershipOffered ? 'billing.offer.submit' : 'billing.transfer.submit')}
        </Button>
      </FormActions>
    </form>
  )
}

function Candidate({ user }: { user: SubscriptionUser }) {
  const t = useT()
  const { id, display_name, email } = user
  const { asksForFactor } = useProject()
  const isBarred = asksForFactor && !user.has_second_factor
  return (
    <label className="flex items-center gap-3 px-3.5 py-3 transition-colors hover:bg-tint has-checked:bg-accent-soft has-disabled:text-soft">
      <input
        type="radio"
        name="newOwnerId"
        value={id}
        required
        disabled={isBarred}
        className="tick"
      />
      <Avatar id={id} name={display_name || email} />
      <span className="min-w-0">
        {display_name && <span className="block font-strong wrap-anywhere">{display_name}</span>}
        <span className="block text-small text-soft">
          <Breakable text={email} />
        </span>
        {isBarred && (
          <span className="block text-small">{t('billing.transfer.factorRequired')}</span>
        )}
      </span>
    </label>
  )
}

function Consequences({ kept }: { kept: Card | undefined }) {
  const t = useT()
  const takesBack = useTakesBack({ ...useProject().subscription, ends: null })
  return (
    <Message
      tone="warn"
      title={t(isOwnershipOffered ? 'billing.offer.warningTitle' : 'billing.transfer.warningTitle')}
    >
      <ul className="mt-1 grid list-disc gap-1 ps-4">
        <li>
          <WhoPays kept={kept} />
        </li>
        {takesBack && <li>{takesBack}</li>}
        <li>{t('billing.transfer.detailsGo')}</li>
        <li>{t('billing.transfer.alone')}</li>
        <li>{t('billing.transfer.stays')}</li>
        <li>{t('billing.transfer.mails')}</li>
      </ul>
    </Message>
  )
}

function WhoPays({ kept }: { kept: Card | undefined }) {
  const t = useT()
  const format = useFormat()
  const { subscription, plan } = useProject()
  if (plan.free) return t('billing.transfer.free')
  if (isOwnershipOffered)
    return kept
      ? t('billing.offer.cardStays', { card: cardName(kept) })
      : t('billing.offer.cardsGo')
  const at = nextCharge(afterTransfer(subscription))
  if (at === undefined) return t('billing.transfer.notCharged')
  const date = format.billingDate(at)
  return kept
    ? t('billing.transfer.cardStays', { card: cardName(kept), date })
    : t('billing.transfer.cardsGo', { date })
}

/** What is charged after a transfer, which takes back the change of plan that the owner planned. */
export function afterTransfer(subscription: Subscription): Subscription {
  const { next_plan: next } = subscription
  return next?.by === 'owner' ? { ...subscription, next_plan: null } : subscription
}

export function ChooseOwnerSkeleton() {
  return (
    <Skeleton className="grid gap-4">
      <Bone className="h-40 rounded-notice!" />
      <div className="grid gap-1">
        {[0, 1, 2].map((key) => (
          <div key={key} className="flex h-16 items-center gap-3 px-3.5">
            <Bone className="size-4.5 rounded-full!" />
            <Bone className="size-8 rounded-full!" />
            <Bone className="h-3.5 w-40" />
          </div>
        ))}
      </div>
      <Bone className="ms-auto h-10 w-64" />
    </Skeleton>
  )
}
