import { z } from 'zod'
import { invalid, refused } from '../rules/errors.ts'
import { reading } from '../api/pages.ts'
import {
  clearable,
  currency,
  flag,
  list,
  mergedMetadata,
  metadata,
  text,
  whole,
} from '../api/params.ts'
import { route } from '../api/route.ts'
import { change, publish } from '../events/record.ts'
import { adverbs } from '../objects/calendar.ts'
import { stepOf } from '../objects/currency.ts'
import { newId } from '../objects/new-object.ts'
import { newPrice, newProduct } from '../objects/price.ts'
import { mostIntervals } from '../rules/limits.ts'
import { refusals } from '../rules/refusals.ts'
import { findObject, lockObject, objectsWhere, requireObject, save } from '../store/objects.ts'
import { lockPrices } from '../store/seed.ts'
import type { Tx } from '../store/tx.ts'

const productFields = {
  description: clearable(text).optional(),
  metadata,
  tax_code: text.optional(),
}
const ownId = z
  .string()
  .max(200)
  .regex(/^[\w-]+$/)

const newProductFields = { ...productFields, id: ownId.optional(), name: text }
const productChanges = { ...productFields, active: flag.optional(), name: text.optional() }

export const products = [
  ...reading('product', '/products', { active: flag }),
  route('POST', '/products', newProductFields, async ({ tx, input }) => {
    const { id = newId('prod') } = input
    if (await findObject(tx, id))
      throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
    const product = { ...input, id, metadata: mergedMetadata({}, input.metadata) }
    return publish(tx, 'product.created', newProduct(product, tx.now))
  }),
  route('POST', '/products/:id', productChanges, async ({ tx, id, input }) => {
    const product = await lockObject(tx, 'product', id)
    const metadata = mergedMetadata(product.metadata, input.metadata)
    const changed = { ...product, ...input, metadata }
    if (JSON.stringify(changed) === JSON.stringify(product)) return product
    return change(tx, 'product.updated', product, { ...changed, updated: tx.now })
  }),
]

const taxBehavior = z.enum(['exclusive', 'inclusive', 'unspecified'])
const unitAmount = whole.pipe(z.number().min(0))
const priceFields = {
  currency,
  currency_options: z
    .record(
      currency,
      z.strictObject({ tax_behavior: taxBehavior.optional(), unit_amount: unitAmount }),
    )
    .optional(),
  lookup_key: text.optional(),
  metadata,
  nickname: text.optional(),
  product: text,
  tax_behavior: taxBehavior.optional(),
  recurring: z.strictObject({
    interval: z.enum(['day', 'week', 'month', 'year']),
    interval_count: whole.pipe(z.number().min(1)).optional(),
  }),
  transfer_lookup_key: flag.optional(),
  unit_amount: unitAmount,
}

const priceChanges = {
  currency_options: z.record(currency, z.strictObject({ tax_behavior: taxBehavior })).optional(),
  tax_behavior: taxBehavior.optional(),
}

export const prices = [
  ...reading('price', '/prices', {
    active: flag,
    currency: text,
    lookup_keys: {
      of: list(text).pipe(z.array(text).max(10)),
      where: (keys) => `body->>'lookup_key' = any(${keys})`,
    },
    product: text,
    type: text,
  }),
  route('POST', '/prices', priceFields, async ({ tx, input }) => {
    const { id: product } = await requireObject(tx, 'product', input.product, 'product')
    const { currency, currency_options: options = {}, unit_amount, recurring } = input
    const { lookup_key = null, nickname = null, transfer_lookup_key = false } = input
    refuseTooRare(recurring)
    refuseUnpayable(currency, unit_amount, 'unit_amount')
    for (const [each, option] of Object.entries(options))
      refuseUnpayable(each, option.unit_amount, `currency_options[${each}][unit_amount]`)
    if (lookup_key) await freeLookupKey(tx, lookup_key, transfer_lookup_key)
    const given = {
      id: newId('price'),
      currency,
      lookup_key,
      metadata: mergedMetadata({}, input.metadata),
      nickname,
      options,
      product,
      recurring: { interval_count: 1, ...recurring },
      tax_behavior: input.tax_behavior ?? 'unspecified',
      unit_amount,
    }
    return publish(tx, 'price.created', newPrice(given, tx.now))
  }),
  route('POST', '/prices/:id', priceChanges, async ({ tx, id, input }) => {
    const price = await lockObject(tx, 'price', id)
    const { tax_behavior = price.tax_behavior, currency_options: options = {} } = input
    if (price.tax_behavior !== 'unspecified' && tax_behavior !== price.tax_behavior)
      throw invalid('The tax behavior of a price cannot be changed once it is specified.', {
        param: 'tax_behavior',
      })
    const currency_options = Object.fromEntries(
      Object.entries(price.currency_options ?? {}).map(([each, option]) => [
        each,
        { ...option, ...(each === price.currency ? { tax_behavior } : options[each]) },
      ]),
    )
    return save(tx, { ...price, tax_behavior, currency_options })
  }),
]

type Recurring = z.output<typeof priceFields.recurring>

function refuseTooRare({ interval, interval_count = 1 }: Recurring) {
  const { [interval]: most, message } = mostIntervals
  if (interval_count <= most) return
  const words = { interval: adverbs[interval], most: String(most) }
  throw refused({ message, param: 'recurring[interval_count]' }, words)
}

function refuseUnpayable(currency: string, amount: number, param: string) {
  const step = stepOf(currency)
  if (amount % step === 0) return
  throw refused({ ...refusals.fractionOfStep, param }, { currency, step: String(step) })
}

/** Refuses a lookup key that another price has, or takes it from that price if `transfer`. */
async function freeLookupKey(tx: Tx, key: string, transfer: boolean) {
  await lockPrices(tx)
  const [holder] = await objectsWhere(tx, 'price', `body->>'lookup_key' = $2`, [key])
  if (holder && !transfer)
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, {
      param: 'lookup_key',
    })
  if (holder) await save(tx, { ...holder, lookup_key: null })
}
