import { z } from 'zod'
import { invalid } from '../rules/errors.ts'
import { listing } from '../api/pages.ts'
import { clearable, flag, mergedMetadata, metadata, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { change, record } from '../events/record.ts'
import { newId } from '../objects/ids.ts'
import { newProduct } from '../objects/product.ts'
import { requireObject, findObject, save, lockObject } from '../store/objects.ts'

const fields = {
  description: clearable(text).optional(),
  metadata: metadata.optional(),
  tax_code: text.optional(),
}
const ownId = z
  .string()
  .max(200)
  .regex(/^[\w-]+$/)

export const products = [
  listing('product', '/products', { active: z.enum(['true', 'false']) }),
  route('GET', '/products/:id', {}, ({ tx, id }) => requireObject(tx, 'product', id)),
  route(
    'POST',
    '/products',
    { ...fields, id: ownId.optional(), name: text },
    async ({ tx, input }) => {
      const { id = newId('prod'), name, description = null, tax_code = null } = input
      if (await findObject(tx, id))
        throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
      const product = await save(
        tx,
        newProduct(
          { id, name, description, tax_code, metadata: mergedMetadata({}, input.metadata) },
          tx.now,
        ),
      )
      await record(tx, 'product.created', product)
      return product
    },
  ),
  route(
    'POST',
    '/products/:id',
    { ...fields, active: flag.optional(), name: text.optional() },
    async ({ tx, id, input }) => {
      const product = await lockObject(tx, 'product', id)
      const {
        active = product.active,
        description = product.description,
        name = product.name,
        tax_code = product.tax_code,
      } = input
      const changed = {
        ...product,
        active,
        description,
        metadata: mergedMetadata(product.metadata, input.metadata),
        name,
        tax_code,
      }
      if (JSON.stringify(changed) === JSON.stringify(product)) return product
      return change(tx, 'product.updated', product, { ...changed, updated: tx.now })
    },
  ),
]
