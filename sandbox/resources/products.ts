import { z } from 'zod'
import { invalid } from '../rules/errors.ts'
import { reading } from '../api/pages.ts'
import { clearable, flag, mergedMetadata, metadata, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { change, publish } from '../events/record.ts'
import { newId } from '../objects/new-object.ts'
import { newProduct } from '../objects/product.ts'
import { findObject, lockObject } from '../store/objects.ts'

const fields = {
  description: clearable(text).optional(),
  metadata,
  tax_code: text.optional(),
}
const ownId = z
  .string()
  .max(200)
  .regex(/^[\w-]+$/)

const newFields = { ...fields, id: ownId.optional(), name: text }
const changes = { ...fields, active: flag.optional(), name: text.optional() }

export const products = [
  ...reading('product', '/products', { active: flag }),
  route('POST', '/products', newFields, async ({ tx, input }) => {
    const { id = newId('prod') } = input
    if (await findObject(tx, id))
      throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
    const product = { ...input, id, metadata: mergedMetadata({}, input.metadata) }
    return publish(tx, 'product.created', newProduct(product, tx.now))
  }),
  route('POST', '/products/:id', changes, async ({ tx, id, input }) => {
    const product = await lockObject(tx, 'product', id)
    const metadata = mergedMetadata(product.metadata, input.metadata)
    const changed = { ...product, ...input, metadata }
    if (JSON.stringify(changed) === JSON.stringify(product)) return product
    return change(tx, 'product.updated', product, { ...changed, updated: tx.now })
  }),
]
