import type { Customer, Invoice } from '../objects/wire.ts'
import { ofCustomer } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'

type BilledTo = Pick<
  Invoice,
  | 'customer_address'
  | 'customer_email'
  | 'customer_name'
  | 'customer_phone'
  | 'customer_shipping'
  | 'customer_tax_exempt'
  | 'customer_tax_ids'
>

/** The fields of an invoice with the customer's details. They are fixed when it is finalized. */
export async function billedTo(runner: Runner, customer: Customer): Promise<BilledTo> {
  const taxIds = await ofCustomer(runner, 'tax_id', customer.id)
  return {
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: customer.shipping,
    customer_tax_exempt: customer.tax_exempt ?? null,
    customer_tax_ids: taxIds.toReversed().map(({ type, value }) => ({ type, value })),
  }
}
