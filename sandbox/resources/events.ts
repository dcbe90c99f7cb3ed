import { z } from 'zod'
import { page, pageParams } from '../api/pages.ts'
import { flag, list, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { requireObject } from '../store/objects.ts'

export const events = [
  route(
    'GET',
    '/events',
    {
      ...pageParams,
      type: text.optional(),
      types: list(text).pipe(z.array(text).max(20)).optional(),
      delivery_success: flag.optional(),
    },
    ({ tx, input: { type, types, delivery_success, ...asked } }) => {
      const wanted = types ?? (type === undefined ? null : [type])
      const conditions = [
        `($2::text[] is null or body->>'type' = any($2))`,
        `($3::boolean is null or (body->>'pending_webhooks' = '0') = $3)`,
      ]
      const where = { sql: conditions.join(' and '), values: [wanted, delivery_success ?? null] }
      return page(tx, 'event', '/v1/events', asked, where)
    },
  ),
  route('GET', '/events/:id', {}, ({ tx, id }) => requireObject(tx, 'event', id)),
]
