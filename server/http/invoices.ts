import { Hono, type Context } from 'hono'
import { toRefusal } from '../core/to-refusal.ts'
import type { Services } from '../core/services.ts'
import type { HttpEnv } from './request-log.ts'
import type { VisitOf } from './visit.ts'

/**
 * An invoice's page and its PDF, for anybody who has the address: it can't be guessed, and lasts. The provider's own addresses end after a
 * month, so each request is sent on to a fresh one.
 */
export function invoiceRoutes({ rateLimits, store, payments }: Services, visitOf: VisitOf) {
  async function sendOn(c: Context<HttpEnv>) {
    await rateLimits.consume('invoicesByNetwork', visitOf(c).network)
    const [, token = '', extension] = /^(\w+)(\.pdf)?$/.exec(c.req.param('file') ?? '') ?? []
    const id = await store.invoices.findIdByToken(token)
    const links = id === undefined ? undefined : await payments.findInvoiceLinks(id)
    const url = extension ? links?.pdf : links?.page
    if (!url) return c.text('There is no such invoice.', 404)
    c.header('cache-control', 'no-store')
    return c.redirect(url, 302)
  }

  return new Hono<HttpEnv>()
    .get('/:file', (c) => sendOn(c))
    .onError((error, c) => {
      const refusal = toRefusal(error)
      if (refusal.reason === 'internal')
        c.get('log').error({ err: error }, 'an invoice could not be shown')
      if (typeof refusal.details['retryAfter'] === 'number')
        c.header('retry-after', String(refusal.details['retryAfter']))
      return c.text(refusal.message, refusal.httpStatus)
    })
}
