import { languages } from '#config/languages.ts'
import type { Plan } from '#config/plans.ts'
import type { PayerPlace, PlanChangePreview } from '#contract/entities.ts'
import { useState, useEffect, useEffectEvent, useId, type ReactNode } from 'react'
import type { CallError } from '../../api/post.ts'
import { useSettled } from '../../components/use-settled.ts'
import { useLanguage, useT } from '../../platform/i18n.ts'
import { isAboutCode, usePromotion } from './promotion-code.tsx'
import { useCall } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Select } from '../../components/fields.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { projectTitle } from '../../layouts/use-project.ts'

export type Purchase = ReturnType<typeof usePurchase>

/** What the buyer of a plan enters besides the card: where they pay, and a code. */
export function usePurchase({ trial }: Plan) {
  const language = useLanguage()
  const [usual] = useState({ country: languages[language].country })
  const [typed, setTyped] = useState<PayerPlace>(usual)
  // The payer's place, once they stop typing.
  const place = useSettled(typed, 400)
  const promotion = usePromotion()
  // From then on, previews show what is charged without the plan's trial, before anything is.
  const [isTrialUsed, setTrialUsed] = useState(false)

  function onAddress({ country, state, postal_code }: Required<PayerPlace>) {
    const next = { country, ...(state && { state }), ...(postal_code && { postal_code }) }
    setTyped((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next))
  }

  /** Draws the conclusions from a refusal. Returns whether it is about the code alone. */
  function hear(refusal: CallError) {
    if (refusal.reason === 'trialUsed') setTrialUsed(true)
    const isOfCode = isAboutCode(refusal, promotion)
    if (isOfCode) promotion.remove(refusal)
    return isOfCode
  }

  return {
    asked: { ...(isTrialUsed && { trial: false }), promotionCode: promotion.code },
    /** Whether to begin with the trial, as the preview does. */
    trialIn: (preview?: PlanChangePreview) =>
      trial && preview ? { trial: preview.trial_ends !== null } : {},
    isCardLater: (preview?: PlanChangePreview) =>
      trial?.card === 'later' && !isTrialUsed && preview?.trial_ends !== null,
    place,
    isSettled: place === typed,
    country: typed.country,
    /** The country is not the one that the field began with. */
    isCountryChosen: typed.country !== usual.country,
    promotion,
    onAddress,
    hear,
  }
}

/** Offers the payers of the user's own projects for another one. Never without the choice. */
export function useEarlierPayer(onAddress: (address: Required<PayerPlace>) => void) {
  const t = useT()
  const id = useId()
  const { user } = useSession()
  const [from, setFrom] = useState('')
  const { data } = useCall('listSubscriptions', {})
  const own = data?.subscriptions.filter(
    ({ owner_id: owner, price }) => owner === user.uid && price !== null,
  )
  const input = { subscriptionId: from }
  const { data: known, error } = useCall('getBillingDetails', input, { enabled: from !== '' })
  const tellAddress = useEffectEvent(onAddress)
  useEffect(() => {
    if (known) tellAddress(known.address)
  }, [known])

  const choice: ReactNode = own && own.length > 0 && (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-small font-strong">
        {t('billing.earlierPayer.label')}
      </label>
      <Select id={id} value={from} onChange={({ target }) => setFrom(target.value)}>
        <option value="">{t('billing.earlierPayer.new')}</option>
        {own.map((project) => (
          <option key={project.id} value={project.id}>
            {t('billing.earlierPayer.asFor', { project: projectTitle(project, t) })}
          </option>
        ))}
      </Select>
      <LiveProblem error={error} failed="billing.details.loadFailed" />
    </div>
  )
  return { choice, known }
}
