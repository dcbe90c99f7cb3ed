import { z } from 'zod'
import { missing } from '../rules/errors.ts'
import { listing, onTestClock, page, pageParams } from '../api/pages.ts'
import {
  address,
  clearable,
  email,
  list,
  mergedMetadata,
  metadata,
  text,
  whole,
} from '../api/params.ts'
import { route } from '../api/route.ts'
import { attach, cardCalled, cardOf } from '../billing/attach.ts'
import { removeCustomer } from '../billing/remove-customer.ts'
import { unplaced } from '../billing/tax.ts'
import { change } from '../events/record.ts'
import { isPlaced, mergedAddress, newCustomer } from '../objects/customer.ts'
import { isOver } from '../objects/subscription.ts'
import type { Customer } from '../objects/wire.ts'
import { requireObject, findObject, ofCustomer, save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { otherFields } from './other-methods.ts'

const customField = z.strictObject({ name: text, value: text })
const fields = {
  address: clearable(address).optional(),
  balance: whole.optional(),
  description: clearable(text).optional(),
  email: clearable(email).optional(),
  invoice_prefix: z
    .string()
    .regex(/^[A-Z0-9]{3,12}$/)
    .optional(),
  invoice_settings: z
    .strictObject({
      custom_fields: clearable(list(customField).pipe(z.array(customField).max(4))).optional(),
      default_payment_method: clearable(text).optional(),
      footer: clearable(text).optional(),
    })
    .optional(),
  metadata,
  name: clearable(text).optional(),
  phone: clearable(text).optional(),
  preferred_locales: list(text).optional(),
  tax: z
    .strictObject({ validate_location: z.enum(['auto', 'deferred', 'immediately']).optional() })
    .optional(),
}
const newFields = { ...fields, payment_method: text.optional(), test_clock: text.optional() }
const methodsPage = { ...pageParams, type: otherFields.type.optional() }
type Fields = z.output<z.ZodObject<typeof fields>>

export const customers = [
  route('POST', '/customers', newFields, async ({ tx, input }) => {
    const { payment_method, test_clock = null, ...given } = input
    if (test_clock) await requireObject(tx, 'test_helpers.test_clock', test_clock, 'test_clock')
    const customer = await save(tx, changed({ ...newCustomer(tx.now), test_clock }, given))
    if (payment_method)
      await attach(tx, await cardCalled(tx, payment_method, 'payment_method'), customer.id)
    await checkDefaultCard(tx, customer.id, given)
    return customer
  }),
  listing('customer', '/customers', { email: text, test_clock: onTestClock }, (given) => ({
    test_clock: null,
    ...given,
  })),
  route('GET', '/customers/:id', {}, async ({ tx, id }) => {
    const customer = await findObject(tx, id)
    if (customer?.object !== 'customer') throw missing('customer', id)
    return customer
  }),
  route('POST', '/customers/:id', fields, async ({ tx, id, input }) => {
    const customer = await lockObject(tx, 'customer', id)
    await checkDefaultCard(tx, id, input)
    const after = changed(customer, input)
    if (!isPlaced(after.address) && (await mustBePlaced(tx, id, input))) throw unplaced()
    return change(tx, 'customer.updated', customer, after)
  }),
  route('DELETE', '/customers/:id', {}, async ({ tx, id }) => {
    const customer = await lockObject(tx, 'customer', id)
    return removeCustomer(tx, customer)
  }),
  route('GET', '/customers/:id/payment_methods', methodsPage, async ({ tx, id, input }) => {
    const { id: customer } = await requireObject(tx, 'customer', id)
    const url = `/v1/customers/${id}/payment_methods`
    return page(tx, 'payment_method', url, { ...input, customer }, { customer: text, type: text })
  }),
]

function changed(
  customer: Customer,
  { address: where, invoice_settings, metadata: notes, tax: _tax, ...plain }: Fields,
): Customer {
  return {
    ...customer,
    ...plain,
    ...(where === undefined ? {} : { address: mergedAddress(customer.address, where) }),
    invoice_settings: { ...customer.invoice_settings, ...invoice_settings },
    metadata: mergedMetadata(customer.metadata, notes),
  }
}

/** Whether the address must be valid for tax: by default if a subscription has automatic tax. */
async function mustBePlaced(tx: Tx, customer: string, { address: where, tax }: Fields) {
  const { validate_location = 'auto' } = tax ?? {}
  if (validate_location !== 'auto') return validate_location === 'immediately'
  return (
    where !== undefined &&
    (await ofCustomer(tx, 'subscription', customer)).some(
      (each) => each.automatic_tax.enabled && !isOver(each),
    )
  )
}

async function checkDefaultCard(tx: Tx, customer: string, { invoice_settings }: Fields) {
  const id = invoice_settings?.default_payment_method
  if (id) await cardOf(tx, customer, id, 'invoice_settings[default_payment_method]')
}
