import type { Plan } from '#config/plans.ts'
import type { Address, BillingInfo, PayerPlace } from '#contract/entities.ts'
import type { ComponentType, Ref } from 'react'
import type { Check } from '../../components/field-errors.ts'

/** Takes what was typed to the provider and brings back what our server may know: no card number among it. Refused as a CallError. */
export type Collect = (values: FormData) => Promise<BillingInfo>

export type BillingFieldsProps = {
  plan: Plan
  collect: Ref<Collect>
  /** Something can be sent: the address is complete, or the card's fields are there. */
  onReady: () => void
  /** What was collected before no longer holds. */
  onEdit: () => void
  /** Where the payer is, whenever more of it is typed. */
  onPlace: (place: PayerPlace) => void
}

/** Takes what was typed to the provider before anything is begun, and gives what is left to do then. Refused as a CallError. */
export type PrepareSetup = (values: FormData) => Promise<ConfirmSetup>

/**
 * Has the card kept, and lets the bank ask if it wants to: the card's id. Refused as a CallError. A bank that takes the whole page away
 * comes back to `returnUrl`, with `setup_intent_client_secret` for `finishSetup`.
 */
export type ConfirmSetup = (setup: { clientSecret: string; returnUrl: string }) => Promise<string>

export type SetupFieldsProps = { prepare: Ref<PrepareSetup>; onReady: () => void }

/** `onEnd` is called whether they passed or not; the server then finds out which. */
export type ChallengeProps = { clientSecret: string; onEnd: () => void }

/** What a payment provider puts on our screens. */
export type PaymentScreens = {
  /** The address and the card. */
  BillingFields: ComponentType<BillingFieldsProps>
  /** Rules for the fields above, and those below, that they don't tell themselves. */
  check?: Check
  /** A card to be kept; its holder's name is asked beside it, as `card.name`. */
  SetupFields: ComponentType<SetupFieldsProps>
  /** How the keeping of a card ended that went on elsewhere: the card's id. Refused as a CallError. */
  finishSetup: (clientSecret: string) => Promise<string>
  /** Lets the bank ask the buyer who they are. */
  Challenge: ComponentType<ChallengeProps>
}

/** What an address says of it; what is empty is not known yet. */
export function placeOf({
  country,
  state,
  postal_code,
}: Pick<Address, 'country' | 'state' | 'postal_code'>): PayerPlace {
  return { country, ...(state && { state }), ...(postal_code && { postal_code }) }
}
