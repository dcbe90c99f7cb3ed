import type { Plan } from '#config/plans.ts'
import type { BillingInfo } from '#contract/entities.ts'
import type { ComponentType, Ref } from 'react'
import { runtime } from '../../runtime.ts'

/** Takes what was typed to the provider and brings back what our server may know: no card number among it. Refused as a CallError. */
export type Collect = (values: FormData) => Promise<BillingInfo>

export type BillingFieldsProps = {
  plan: Plan
  collect: Ref<Collect>
  /** Something can be sent: the address is complete, or the card's fields are there. */
  onReady: () => void
  /** What was collected before no longer holds. */
  onEdit: () => void
}

/** `onEnd` is called whether they passed or not; the server then finds out which. */
export type ChallengeProps = { clientSecret: string; onEnd: () => void }

/** What a payment provider puts on our screens. */
type PaymentScreens = {
  /** The address and the card. */
  BillingFields: ComponentType<BillingFieldsProps>
  /** Lets the bank ask the buyer who they are. */
  Challenge: ComponentType<ChallengeProps>
}

export async function loadPaymentScreens(): Promise<PaymentScreens> {
  return runtime.stripePublishableKey ? import('./stripe.tsx') : import('./sandbox.tsx')
}
