import { matching, page, pageParams } from '../api/pages.ts'
import { text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { requireObject } from '../store/objects.ts'

const filters = { ...pageParams, customer: text.optional(), payment_intent: text.optional() }
const disputed = { ...pageParams, charge: text.optional(), payment_intent: text.optional() }

export const charges = [
  route('GET', '/charges', filters, ({ tx, input: { customer, payment_intent, ...asked } }) =>
    page(
      tx,
      'charge',
      '/v1/charges',
      asked,
      matching({ customer, "body->>'payment_intent'": payment_intent }),
    ),
  ),
  route('GET', '/charges/:id', {}, ({ tx, id }) => requireObject(tx, 'charge', id)),
  route('GET', '/disputes', disputed, ({ tx, input: { charge, payment_intent, ...asked } }) =>
    page(
      tx,
      'dispute',
      '/v1/disputes',
      asked,
      matching({ "body->>'charge'": charge, "body->>'payment_intent'": payment_intent }),
    ),
  ),
  route('GET', '/disputes/:id', {}, ({ tx, id }) => requireObject(tx, 'dispute', id)),
]
