import { paths } from '#contract/paths.ts'
import { createMiddleware } from 'hono/factory'

/** What mail programs take along from the text around a link, as it is or encoded. */
const ending =
  /(?:[.,;:!?'"<>()[\]{}]|%(?:22|27|29|3C|3E|5B|5D|7B|7D)|%C2%A0|%C2%AB|%C2%BB|%E2%80%9[89CD]|%E3%80%82|%EF%BC%89)+$/i
/** Screens whose links are mailed with a query. Elsewhere people type into the query. */
const withQuery = new Set<string>([paths.authAction, paths.invitation, paths.join])

/** Leads from a link that a mail program has bent to the one that was mailed. */
export const straightenLinks = createMiddleware(async (c, next) => {
  const { origin, pathname, search } = new URL(c.req.url)
  const path = pathname.replace(ending, '') || '/'
  const whole = search.replaceAll(/&(?:amp;)+/gi, '&')
  const query = withQuery.has(path) ? whole.replace(ending, '') : whole
  if (path === pathname && query === search) return next()
  // Not `//elsewhere`, which leads to another server.
  if (!new URL(path + query, origin).href.startsWith(`${origin}/`)) return next()
  return c.body(null, 302, { location: path + query, 'cache-control': 'no-store' })
})
