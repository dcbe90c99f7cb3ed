import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isLoopback } from '../platform/networks.ts'

type GuardEnv = { Bindings: Partial<HttpBindings> }
type Options = {
  publicUrl: string
  /** Whether the stand-ins answer under PUBLIC_URL's host and through proxies. */
  isOpen: boolean
}

/** Guards the stand-ins for mail and payments, which give access to every account. */
export function standInGuard({ publicUrl, isOpen }: Options) {
  const ours = new URL(publicUrl)

  function whyNot(c: Context<GuardEnv>) {
    const url = new URL(c.req.url)
    const { hostname } = new URL(`http://${c.req.header('host') ?? url.host}`)
    if (!isLoopback(hostname) && !(isOpen && hostname === ours.hostname))
      return `answers only under ${ours.host}`
    if (!isOpen && isProxied(c))
      return 'answers no proxy unless the server was started with ALLOW_SANDBOX=1'
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (!isRead && !isBank(c.req.path) && isOfAnotherSite(c, [ours.origin, url.origin]))
      return 'takes nothing that a page of another site sends'
    return undefined
  }

  return createMiddleware<GuardEnv>(async (c, next) => {
    const why = whyNot(c)
    return why ? c.text(`This stands in for mail and payments, and ${why}.`, 403) : next()
  })
}

/** An nginx without settings adds no such header, but only it still uses HTTP/1.0. */
function isProxied(c: Context<GuardEnv>) {
  const forwarding = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/
  const names = Object.keys(c.req.header())
  return names.some((name) => forwarding.test(name)) || c.env?.incoming?.httpVersion === '1.0'
}

/** The bank's page is framed without an origin. Its form carries the payment's secret as proof. */
function isBank(path: string) {
  return path.startsWith('/sandbox/authenticate/')
}

/** Programs send neither header. Our own pages send the origin `null`, as they send no referrer. */
function isOfAnotherSite(c: Context, own: string[]) {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === 'null') return site === undefined
  return origin !== undefined && !own.includes(origin)
}
