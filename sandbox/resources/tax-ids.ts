import { z } from 'zod'
import { missing } from '../rules/errors.ts'
import { page, pageParams } from '../api/pages.ts'
import { text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { publish, record } from '../events/record.ts'
import { newTaxId, checkTaxId, taxIdTypes } from '../objects/tax-id.ts'
import type { TaxId } from '../objects/wire.ts'
import { requireObject, remove, lockObject } from '../store/objects.ts'
import type { Runner } from '../store/tx.ts'

const fields = { type: z.enum(taxIdTypes), value: text }

export const taxIds = [
  route('POST', '/customers/:id/tax_ids', fields, async ({ tx, id, input: { type, value } }) => {
    const customer = await lockObject(tx, 'customer', id)
    checkTaxId(type, value)
    const taxId = newTaxId({ customer: customer.id, type, value }, tx.now)
    return publish(tx, 'customer.tax_id.created', taxId)
  }),
  route('GET', '/customers/:id/tax_ids', pageParams, async ({ tx, id, input }) => {
    const { id: customer } = await requireObject(tx, 'customer', id)
    const asked = { ...input, customer }
    return page(tx, 'tax_id', `/v1/customers/${id}/tax_ids`, asked, { customer: text })
  }),
  route('GET', '/customers/:id/tax_ids/:part', {}, ({ tx, id, part }) => taxIdOf(tx, id, part)),
  route('DELETE', '/customers/:id/tax_ids/:part', {}, async ({ tx, id, part }) => {
    await lockObject(tx, 'customer', id)
    const taxId = await taxIdOf(tx, id, part)
    const deleted = await remove(tx, taxId)
    await record(tx, 'customer.tax_id.deleted', taxId)
    return deleted
  }),
]

async function taxIdOf(runner: Runner, customer: string, id: string): Promise<TaxId> {
  const taxId = await requireObject(runner, 'tax_id', id)
  if (taxId.customer !== customer) throw missing('tax_id', id)
  return taxId
}
