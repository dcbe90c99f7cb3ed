import type { Plan } from '#config/plans.ts'
import type { Address, BillingInfo, PayerPlace } from '#contract/entities.ts'
import type { ComponentType, Ref } from 'react'
import type { Check } from '../../components/field-errors.ts'

/** Sends card and address to the provider; our server gets no number. Throws a CallError. */
export type Collect = (values: FormData) => Promise<BillingInfo>

export type BillingFieldsProps = {
  plan: Plan
  collect: Ref<Collect>
  /** Called when the form can be sent: the address is complete, or the card's fields are there. */
  onReady: () => void
  /** Called on every change: what was collected before is out of date. */
  onEdit: () => void
  /** Called with as much of the payer's place as is typed. */
  onPlace: (place: PayerPlace) => void
}

/** Checks the typed card with the provider and returns the next step. Throws a CallError. */
export type PrepareSetup = (values: FormData) => Promise<ConfirmSetup>

/**
 * Stores the card, after the bank's question if it has one, and returns the card's id. Throws a
 * CallError. A bank that takes over the whole page returns to `returnUrl` with
 * `setup_intent_client_secret` for `finishSetup`.
 */
export type ConfirmSetup = (setup: { clientSecret: string; returnUrl: string }) => Promise<string>

export type SetupFieldsProps = { prepare: Ref<PrepareSetup>; onReady: () => void }

/** `onEnd` is called whether the buyer passed or not; the server then asks the provider. */
export type ChallengeProps = { clientSecret: string; onEnd: () => void }

/** The parts of our screens that a payment provider supplies. */
export type PaymentScreens = {
  BillingFields: ComponentType<BillingFieldsProps>
  /** Rules for fields that do not check themselves. */
  check?: Check
  /** A card to be stored. The form asks for its holder's name itself, as `card.name`. */
  SetupFields: ComponentType<SetupFieldsProps>
  /** The id of a card whose bank asked its question on another page. Throws a CallError. */
  finishSetup: (clientSecret: string) => Promise<string>
  /** Lets the bank authenticate the buyer. */
  Challenge: ComponentType<ChallengeProps>
}

/** The typed parts of an address that decide the tax. */
export function placeOf({
  country,
  state,
  postal_code,
}: Pick<Address, 'country' | 'state' | 'postal_code'>): PayerPlace {
  return { country, ...(state && { state }), ...(postal_code && { postal_code }) }
}
