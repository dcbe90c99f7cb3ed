import { matching, page, pageParams } from '../api/pages.ts'
import { flag, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { find } from '../store/objects.ts'

const filters = { active: flag.optional(), product: text.optional(), currency: text.optional(), type: text.optional() }

export const prices = [
  route('GET', '/prices', { ...pageParams, ...filters }, ({ tx, input: { active, product, currency, type, ...asked } }) => {
    const columns = {
      "body->>'active'": active?.toString(),
      "body->>'product'": product,
      "body->>'currency'": currency,
      "body->>'type'": type,
    }
    return page(tx, 'price', '/v1/prices', asked, matching(columns))
  }),
  route('GET', '/prices/:id', {}, ({ tx, id }) => find(tx, 'price', id)),
]
