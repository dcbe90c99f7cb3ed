import { z } from 'zod'
import { invalid, missing, missingParam } from '../rules/errors.ts'
import { clearable, flag, list, text } from '../api/params.ts'
import { route, type Asking } from '../api/route.ts'
import { cardCalled, refuseOthers } from '../billing/attach.ts'
import type { Intent, PaymentMethod, StoredObjects } from '../objects/wire.ts'
import { requireObject, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { cardFields, newCard } from './card-fields.ts'
import { otherFields, refuseForbidden } from './other-methods.ts'

type Intents = Pick<StoredObjects, 'payment_intent' | 'setup_intent'>

export const methodTypes = list(otherFields.type).optional()
export const confirmFields = {
  client_secret: text.optional(),
  allowed_payment_method_types: methodTypes,
  mandate_data: clearable(z.record(z.string(), z.unknown())).optional(),
  payment_method: text.optional(),
  payment_method_data: z.strictObject(cardFields).optional(),
  return_url: z.url().optional(),
  use_stripe_sdk: flag.optional(),
}
type ConfirmInput = z.output<z.ZodObject<typeof confirmFields>>

/** Finds an intent. A browser must give the intent's client secret. */
export async function intentFor<T extends keyof Intents>(
  get: typeof requireObject | typeof lockObject,
  tx: Tx,
  type: T,
  {
    id,
    browser,
    input,
  }: { id: string; browser: boolean; input: { client_secret?: string | undefined } },
): Promise<Intents[T]> {
  const intent = (await get(tx, type, id)) as Intents[T]
  if (browser && !input.client_secret) throw missingParam('client_secret')
  if (input.client_secret && input.client_secret !== intent.client_secret) throw missing(type, id)
  return intent
}

/** The call that retrieves an intent. */
export function retrieving(type: keyof Intents) {
  return route(
    'GET',
    `/${type}s/:id`,
    { client_secret: text.optional() },
    async (asking) => {
      const intent = await intentFor(requireObject, asking.tx, type, asking)
      return intentSeenBy(asking.browser, intent)
    },
    { forBrowsers: true },
  )
}

/** Where a browser goes after 3-D Secure. Elsewhere than to the product, it would be a trap. */
export function returnUrlOf({ merchant }: Tx, given: string | undefined) {
  if (given === undefined || isOf(merchant.productUrl, new URL(given))) return given ?? null
  const message = `The sandbox returns only to ${merchant.productUrl}.`
  throw invalid(message, { code: 'url_invalid', param: 'return_url' })
}

/** People may open a product on this machine under any name of the machine. */
function isOf(productUrl: string, url: URL) {
  const { protocol, hostname, port } = new URL(productUrl)
  if (url.protocol !== protocol || url.port !== port) return false
  return url.hostname === hostname || [url.hostname, hostname].every(isLoopback)
}

function isLoopback(hostname: string) {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The card to confirm with: from an id, from typed fields, or the card of the intent. */
export async function cardToConfirm(
  tx: Tx,
  intent: Intent,
  input: ConfirmInput,
): Promise<PaymentMethod> {
  if (input.payment_method_data) return newCard(tx, input.payment_method_data, {})
  const id = input.payment_method ?? intent.payment_method
  if (!id) {
    const code = `${intent.object}_unexpected_state`
    throw invalid(
      `You cannot confirm this ${intent.object} because it's missing a payment method.`,
      { code, param: 'payment_method' },
    )
  }
  const card = await cardCalled(tx, id, 'payment_method')
  refuseOthers(card, intent.customer)
  refuseForbidden(card, intent.allowed_payment_method_types ?? intent.payment_method_types)
  return card
}

/** The intent to confirm, with where the browser goes after 3-D Secure, and the card for it. */
export async function toConfirm<T extends keyof Intents>(asking: Asking<ConfirmInput>, type: T) {
  const { tx, input } = asking
  const intent = await intentFor(lockObject, tx, type, asking)
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw invalid(`You cannot confirm this ${type} because it has a status of ${intent.status}.`, {
      code: `${type}_unexpected_state`,
    })
  const returnUrl = returnUrlOf(tx, input.return_url) ?? intent.$hidden.returnUrl
  const card = await cardToConfirm(tx, intent, input)
  return { intent: { ...intent, $hidden: { ...intent.$hidden, returnUrl } }, card }
}

/** The intent for an answer. A browser does not see its customer and metadata. */
export function intentSeenBy(browser: boolean, intent: Intent): object {
  if (!browser) return intent
  const { customer: _customer, customer_account: _account, metadata: _metadata, ...seen } = intent
  return seen
}
