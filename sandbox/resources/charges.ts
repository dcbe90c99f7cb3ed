import { listing } from '../api/pages.ts'
import { text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { requireObject } from '../store/objects.ts'

export const charges = [
  listing('charge', '/charges', { customer: text, payment_intent: text }),
  route('GET', '/charges/:id', {}, ({ tx, id }) => requireObject(tx, 'charge', id)),
  listing('dispute', '/disputes', { charge: text, payment_intent: text }),
  route('GET', '/disputes/:id', {}, ({ tx, id }) => requireObject(tx, 'dispute', id)),
]
