import { Hono, type Context } from 'hono'
import type { Services } from '../core/services.ts'
import { refusalFor, type HttpEnv } from './request.ts'

/** Anyone who has an invoice's address may read it. Unlike the provider's, it never expires. */
export function invoiceRoutes({ rateLimits, store, payments }: Services) {
  async function redirect(c: Context<HttpEnv>) {
    const [, token = '', extension] = /^(\w+)(\.pdf)?$/.exec(c.req.param('file') ?? '') ?? []
    const id = await store.invoices.findIdByToken(token)
    // What neighbours try or open closes no address that exists.
    if (id === undefined) await rateLimits.consume(['invoicesByNetwork', c.get('visit').network])
    else await rateLimits.consume(['openingsByInvoice', id])
    const links = id === undefined ? undefined : await payments.findInvoiceLinks(id)
    const url = extension ? links?.pdf : links?.page
    if (!url) return c.text('There is no such invoice.', 404)
    c.header('cache-control', 'no-store')
    return c.redirect(url, 302)
  }

  return new Hono<HttpEnv>()
    .get('/:file', (c) => redirect(c))
    .onError((error, c) => {
      const refusal = refusalFor(error, c, 'an invoice could not be shown')
      return c.text(refusal.message, refusal.httpStatus)
    })
}
