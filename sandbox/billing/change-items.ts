import type Stripe from 'stripe'
import { invalid, missing, missingParam, refused } from '../rules/errors.ts'
import { refusals } from '../rules/refusals.ts'
import { mergedMetadata } from '../api/params.ts'
import { newItem, periodOf, type PricedItem } from '../objects/subscription.ts'
import { sameInterval } from '../objects/calendar.ts'
import { planOf, refuseOtherCurrency } from '../objects/price.ts'
import type { Price, Subscription, SubscriptionItem } from '../objects/wire.ts'
import { requireObject } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'

export type ItemChange = {
  id?: string | undefined
  price?: string | undefined
  quantity?: number | undefined
  deleted?: boolean | undefined
  metadata?: Stripe.Metadata | null | undefined
}

/** The subscription's items after a change. A change without an item id adds an item. */
export async function changedItems(
  runner: Runner,
  subscription: Subscription,
  changes: ItemChange[],
  now: number,
): Promise<SubscriptionItem[]> {
  let items = subscription.items.data
  for (const [index, change] of changes.entries()) {
    const param = `items[${index}]`
    const old = change.id === undefined ? undefined : items.find((item) => item.id === change.id)
    if (change.id !== undefined && !old)
      throw missing('subscription_item', change.id, `${param}[id]`)
    if (old && change.deleted) {
      items = items.filter((item) => item !== old)
      continue
    }
    const price =
      change.price === undefined
        ? old?.price
        : await priceToSell(runner, change.price, subscription.currency, `${param}[price]`)
    if (!price) throw missingParam(`${param}[price]`)
    const quantity = change.quantity ?? old?.quantity ?? 1
    const metadata = mergedMetadata(old?.metadata ?? {}, change.metadata)
    if (old)
      items = items.map((item) =>
        item === old ? { ...old, metadata, price, plan: planOf(price), quantity } : item,
      )
    else
      items = [
        ...items,
        newItem(subscription.id, { price, quantity, metadata }, periodOf(subscription), now),
      ]
  }
  if (!items.length)
    throw invalid('A subscription must have at least one active plan.', { param: 'items' })
  refuseUnfit(items)
  return items
}

/** The items of a new subscription. Without a currency, that of the first price counts. */
export async function pricedItems(runner: Runner, items: ItemChange[], currency: string | null) {
  if (!items.length) throw missingParam('items')
  const priced: PricedItem[] = []
  for (const [index, { price: id, quantity = 1, metadata }] of items.entries()) {
    const param = `items[${index}][price]`
    if (id === undefined) throw missingParam(param)
    const price = await priceToSell(runner, id, currency, param)
    const others = priced[0]?.price.currency ?? price.currency
    if (currency === null && price.currency !== others)
      throw refused({ ...refusals.mixedCurrencies, param }, { currency: price.currency, others })
    priced.push({ price, quantity, metadata: mergedMetadata({}, metadata) })
  }
  refuseUnfit(priced)
  return priced
}

/** A price that can be sold in the currency; null allows any. */
async function priceToSell(runner: Runner, id: string, currency: string | null, param: string) {
  const price = await requireObject(runner, 'price', id, param)
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', {
      param,
    })
  if (currency !== null) refuseOtherCurrency(price, currency, param)
  return price
}

/** Refuses items that can't be in one subscription. */
function refuseUnfit(items: { price: Price }[]) {
  if (new Set(items.map(({ price }) => price.id)).size < items.length)
    throw invalid('Cannot add multiple subscription items with the same plan.', { param: 'items' })
  const [first] = items
  if (items.some(({ price }) => !sameInterval(price.recurring, first!.price.recurring)))
    throw refused(refusals.mixedIntervals)
}
