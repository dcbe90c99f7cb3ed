import type { Plan } from '#config/plans.ts'
import type { BillingInfo, PayerPlace } from '#contract/entities.ts'
import { useEffect, type ComponentType, type ReactNode } from 'react'
import { CallError } from '../../api/post.ts'
import type { Check } from '../../components/field-errors.ts'
import { textOf } from '../../components/text-field.tsx'
import { createStore } from '../../platform/create-store.ts'

/** Sends card and address to the provider; our server gets no number. Throws a CallError. */
export type Collect = (values: FormData) => Promise<BillingInfo>

export type BillingFieldsProps = {
  plan: Plan
  /** Called when the form can be sent: the address is complete, or the card's fields are there. */
  onReady: (collect: Collect) => void
  /** Called on every change: what was collected before is out of date. */
  onEdit: () => void
  /** Called with the address as far as it is typed. */
  onAddress: (address: Required<PayerPlace>) => void
}

/** Checks the typed card with the provider and returns the next step. Throws a CallError. */
export type PrepareSetup = (values: FormData) => Promise<ConfirmSetup>

/**
 * Stores the card, after the bank's question if it has one, and returns the card's id. Throws a
 * CallError. A bank that takes over the whole page returns to `returnUrl` with
 * `setup_intent_client_secret` for `finishSetup`.
 */
export type ConfirmSetup = (setup: { clientSecret: string; returnUrl: string }) => Promise<string>

export type SetupFieldsProps = { onReady: (prepare: PrepareSetup) => void }

/** The parts of our screens that a payment provider supplies. */
export type PaymentScreens = {
  BillingFields: ComponentType<BillingFieldsProps>
  /** Rules for fields that do not check themselves. */
  check?: Check
  /** A card to be stored. The form itself asks for its holder's name. */
  SetupFields: ComponentType<SetupFieldsProps>
  /** The id of a card whose bank asked its question on another page. Throws a CallError. */
  finishSetup: (clientSecret: string) => Promise<string>
  /** Lets the bank ask the buyer. Ends whether they passed or not; the server asks the provider. */
  challenge: (clientSecret: string) => Promise<void>
}

const question = createStore<ReactNode>(null)

/** Draws what a bank asks, above the screen that pays. */
export function BankQuestion() {
  useEffect(() => () => question.set(null), [])
  return question.use()
}

/** Draws a question until it calls `onEnd`. */
export async function askBuyer(draw: (onEnd: () => void) => ReactNode) {
  await new Promise<void>((resolve) => question.set(draw(resolve)))
  question.set(null)
}

export function cardholderOf(values: FormData) {
  return textOf(values, 'card.name').trim()
}

type SetupIntent<Refusal> = {
  status: string
  payment_method: string | { id: string } | null
  last_setup_error?: Refusal | null
}

/** Returns the stored card's id, or throws why there is none. */
export function keptCard<Refusal>(
  { status, payment_method: card, last_setup_error: refusal }: SetupIntent<Refusal>,
  toCallError: (refusal: Refusal) => CallError,
) {
  if (status !== 'succeeded') throw refusal ? toCallError(refusal) : notAuthenticated()
  if (!card) throw new CallError('noPaymentMethod')
  return typeof card === 'string' ? card : card.id
}

/** The bank did not confirm the buyer: no field is wrong. */
export function notAuthenticated() {
  return new CallError('cardDeclined', { declineCode: 'authentication_required', fields: {} })
}
