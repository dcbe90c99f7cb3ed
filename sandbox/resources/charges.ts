import { reading } from '../api/pages.ts'
import { text } from '../api/params.ts'

export const charges = [
  ...reading('charge', '/charges', { customer: text, payment_intent: text }),
  ...reading('dispute', '/disputes', { charge: text, payment_intent: text }),
]
