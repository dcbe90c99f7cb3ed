import { z } from 'zod'
import { reading } from '../api/pages.ts'
import { flag, list, text } from '../api/params.ts'

export const events = reading('event', '/events', {
  type: text,
  types: {
    of: list(text).pipe(z.array(text).max(20)),
    where: (types) => `body->>'type' = any(${types})`,
  },
  delivery_success: {
    of: flag,
    where: (success) => `(body->>'pending_webhooks' = '0') = ${success}`,
  },
})
