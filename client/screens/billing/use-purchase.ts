import { languages } from '#config/languages.ts'
import type { Plan } from '#config/plans.ts'
import type { PayerPlace, PlanChangePreview } from '#contract/entities.ts'
import { useState } from 'react'
import type { CallError } from '../../api/post.ts'
import { useSettled } from '../../components/use-settled.ts'
import { useLanguage } from '../../platform/i18n.ts'
import { isAboutCode, usePromotion } from './promotion-code.tsx'

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
