import { matching, page, pageParams } from '../api/pages.ts'
import { list, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { find } from '../store/objects.ts'

export const events = [
  route(
    'GET',
    '/events',
    { ...pageParams, type: text.optional(), types: list(text).optional() },
    ({ tx, input: { type, types, ...asked } }) => {
      const where = types ? { sql: `body->>'type' = any($2)`, values: [types] } : matching({ "body->>'type'": type })
      return page(tx, 'event', '/v1/events', asked, where)
    },
  ),
  route('GET', '/events/:id', {}, ({ tx, id }) => find(tx, 'event', id)),
]
