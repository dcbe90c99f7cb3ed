import type { HttpBindings } from '@hono/node-server'
import { createMiddleware } from 'hono/factory'
import { isLoopback } from '../platform/networks.ts'

type Options = {
  publicUrl: string
  /** Answers under PUBLIC_URL's host too, and through proxies. */
  isOpen: boolean
}

/**
 * Guards the stand-ins for mail and payments, which give access to every account. They answer only
 * browsers and programs of this machine, under a loopback host. Refused are other host names that
 * lead here, proxies, and forms that other sites make a browser send.
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

/** Headers of proxies. nginx without settings adds none, but is the only one to speak HTTP/1.0. */
const forwarding = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

function isRead(method: string) {
  return method === 'GET' || method === 'HEAD'
}

/** The bank's page is framed without an origin. Its form carries the payment's secret instead. */
function isBank(path: string) {
  return path.startsWith('/sandbox/authenticate/')
}

/** Programs send neither header. Our pages send no referrer, so their origin is `null`. */
function isOfAnotherSite(origin: string | undefined, site: string | undefined, own: string[]) {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === 'null') return site === undefined
  return origin !== undefined && !own.includes(origin)
}
