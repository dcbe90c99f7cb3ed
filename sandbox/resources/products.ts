import { matching, page, pageParams } from '../api/pages.ts'
import { flag } from '../api/params.ts'
import { route } from '../api/route.ts'
import { find } from '../store/objects.ts'

export const products = [
  route('GET', '/products', { ...pageParams, active: flag.optional() }, ({ tx, input }) =>
    page(tx, 'product', '/v1/products', input, matching({ "body->>'active'": input.active?.toString() })),
  ),
  route('GET', '/products/:id', {}, ({ tx, id }) => find(tx, 'product', id)),
]
