import type { HttpBindings } from '@hono/node-server'
import { createMiddleware } from 'hono/factory'
import { isLoopback } from '../platform/networks.ts'

type Options = {
  publicUrl: string
  /** Answers to PUBLIC_URL's host as well, and to a proxy. */
  isOpen: boolean
}

/**
 * For what stands in for mail and payments, and with them for every account. It answers to browsers and programs of this machine,
 * which name it by a loopback host. A name of somebody else's that leads here, or a proxy that passes strangers on, is refused; and so is
 * a page of another site that has its visitor's browser send a form.
 */
export function standInGuard({ publicUrl, isOpen }: Options) {
  const ours = new URL(publicUrl)
  return createMiddleware<{ Bindings: Partial<HttpBindings> }>(async (c, next) => {
    const url = new URL(c.req.url)
    const { hostname } = new URL(`http://${c.req.header('host') ?? url.host}`)
    if (!isLoopback(hostname) && !(isOpen && hostname === ours.hostname))
      return c.text(
        `This stands in for mail and payments, and answers only under ${ours.host}.`,
        403,
      )
    if (
      !isOpen &&
      (Object.keys(c.req.header()).some((name) => forwarding.test(name)) ||
        c.env?.incoming?.httpVersion === '1.0')
    )
      return c.text(
        'This stands in for mail and payments, and answers no proxy unless the server was started with ALLOW_SANDBOX=1.',
        403,
      )
    if (
      !isRead(c.req.method) &&
      !isBank(c.req.path) &&
      isOfAnotherSite(c.req.header('origin'), c.req.header('sec-fetch-site'), [
        ours.origin,
        url.origin,
      ])
    )
      return c.text(
        'This stands in for mail and payments, and takes nothing that a page of another site sends.',
        403,
      )
    return next()
  })
}

/** Browsers speak HTTP/1.1. A proxy that adds none of these, as nginx without settings, is known by speaking HTTP/1.0. */
const forwarding = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

function isRead(method: string) {
  return method === 'GET' || method === 'HEAD'
}

/** The bank's page is framed without an origin of its own, as if it were another site's. Its form holds the payment's secret instead. */
function isBank(path: string) {
  return path.startsWith('/sandbox/authenticate/')
}

/** Programs say neither of the two. Our pages, which send no referrer, are said to be of no origin. */
function isOfAnotherSite(origin: string | undefined, site: string | undefined, own: string[]) {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === 'null') return site === undefined
  return origin !== undefined && !own.includes(origin)
}
