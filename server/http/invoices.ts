import { Hono, type Context } from 'hono'
import type { Services } from '../core/services.ts'
import { refusalFor, type HttpEnv } from './request.ts'

/** Anyone who has an invoice's address may read it. Unlike the provider's, it never expires. */
export function invoiceRoutes({ rateLimits, store, payments }: Services) {
  async function redirect(c: Context<HttpEnv>) {
    await rateLimits.consume('invoicesByNetwork', c.get('visit').network)
    const [, token = '', extension] = /^(\w+)(\.pdf)?$/.exec(c.req.param('file') ?? '') ?? []
    const id = await store.invoices.findIdByToken(token)
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
