import type Stripe from 'stripe'
import { invalid, missing, missingParam } from '../rules/errors.ts'
import { mergedMetadata } from '../api/params.ts'
import { newItem, periodOf } from '../objects/subscription.ts'
import { planOf } from '../objects/price.ts'
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
        : await priceToSell(runner, change.price, `${param}[price]`)
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
  refuseTwice(items)
  return items
}

export async function priceToSell(runner: Runner, id: string, param: string): Promise<Price> {
  const price = await requireObject(runner, 'price', id, param)
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', {
      param,
    })
  return price
}

export function refuseTwice(items: { price: Price }[]) {
  if (new Set(items.map(({ price }) => price.id)).size < items.length)
    throw invalid('Cannot add multiple subscription items with the same plan.', { param: 'items' })
}
