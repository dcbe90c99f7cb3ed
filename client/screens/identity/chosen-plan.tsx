import { findPlan } from '#contract/access.ts'
import { choiceOf } from '#contract/price-choice.ts'
import { priceWords } from '#contract/price-words.ts'
import { nearestPrice } from '#contract/prices.ts'
import { useLocation } from 'react-router'
import { Message } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { returnPath } from '../../platform/return-path.ts'

/** The plan that a visitor has chosen, with its price, and to which the sign-up leads. */
export function ChosenPlan() {
  const t = useT()
  const { search } = useLocation()
  const { searchParams } = new URL(returnPath(search), location.origin)
  const plan = findPlan(searchParams.get('plan') ?? '')
  if (!plan || plan.legacy) return null
  const { interval, currency } = choiceOf(searchParams, navigator.languages)
  const price = priceWords(nearestPrice(plan, interval, currency), t)
  return <Message tone="neutral">{t('pricing.chosen', { plan: t(plan.titleKey), price })}</Message>
}
