import type { BillingDetails, BillingInfo, PayerPlace } from '#contract/entities.ts'
import type { Price } from '#contract/prices.ts'
import { useEffect, type ComponentType, type ReactNode } from 'react'
import { CallError } from '../../api/post.ts'
import type { Check } from '../../components/field-errors.ts'
import { textOf } from '../../components/fields.tsx'
import { createStore } from '../../platform/create-store.ts'

/** Sends the card to the payment provider, never to our server. Throws a CallError. */
export type Collect = (values: FormData) => Promise<BillingInfo>

export type BillingFieldsProps = {
  price: Price
  /** A trial begins without a card, for which there are no fields then. */
  isCardLater: boolean
  /** What the payer's fields begin with. Others replace what is in them. */
  known?: BillingDetails | undefined
  /** Called when the form can be sent: the address is complete, or the card fields are ready. */
  onReady: (collect: Collect) => void
  /** Called on every change. Data that was collected before is then out of date. */
  onEdit: () => void
  /** Called as the user types the address, with empty texts for the parts still missing. */
  onAddress: (address: Required<PayerPlace>) => void
}

/** Checks the typed card with the provider and returns the next step. Throws a CallError. */
export type PrepareSetup = (values: FormData) => Promise<ConfirmSetup>

/**
 * Stores the card and returns its id, after the bank's question if there is one. Throws a
 * CallError. A bank that takes over the whole page returns to `returnUrl` with
 * `setup_intent_client_secret`, which `finishSetup` needs.
 */
export type ConfirmSetup = (setup: { clientSecret: string; returnUrl: string }) => Promise<string>

export type SetupFieldsProps = {
  /** The project's. */
  currency: string
  onReady: (prepare: PrepareSetup) => void
}

/** The parts of our screens that a payment provider supplies. */
export type PaymentScreens = {
  BillingFields: ComponentType<BillingFieldsProps>
  /** Checks fields that don't check themselves. */
  check?: Check
  /** The fields of a card to store, with the focus on the first. The form asks for the name. */
  SetupFields: ComponentType<SetupFieldsProps>
  /** Returns the id of a card whose bank asked its question on another page. Throws a CallError. */
  finishSetup: (clientSecret: string) => Promise<string>
  /**
   * Lets the bank ask the buyer. Resolves after a refusal too: the server asks for the outcome.
   * Throws a CallError if the question can't be shown.
   */
  challenge: (clientSecret: string) => Promise<void>
}

const question = createStore<ReactNode>(null)

/** Draws the bank's question over the screen that pays. */
export function BankQuestion() {
  useEffect(() => () => question.set(null), [])
  return question.use()
}

/** Draws a question until the question calls `onEnd`. */
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

/** Returns the id of the stored card, or throws a CallError that says why there is none. */
export function keptCard<Refusal>(
  { status, payment_method: card, last_setup_error: refusal }: SetupIntent<Refusal>,
  toCallError: (refusal: Refusal) => CallError,
) {
  if (status !== 'succeeded') throw refusal ? toCallError(refusal) : notAuthenticated()
  if (!card) throw new CallError('noPaymentMethod')
  return typeof card === 'string' ? card : card.id
}

/** The error if the bank did not confirm the buyer. It marks no field as wrong. */
export function notAuthenticated() {
  return new CallError('cardDeclined', { declineCode: 'authentication_required', fields: {} })
}
