import type { Reason } from '#contract/refusals.ts'
import { publicUrl, type World } from '../world.ts'

export type Page = {
  url: URL
  status: number
  headers: Headers
  text: string
  outcome?: string | undefined
  reason?: string | undefined
}
type Jar = Map<string, string>

/** A minimal browser, which keeps each site's cookies. Our own site is the world's server. */
export function aBrowser(world: World) {
  const jars = new Map<string, Jar>()
  const visited: URL[] = []

  /** Sends one request and does not follow a redirect. */
  async function fetchPage(address: string | URL, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address, publicUrl)
    visited.push(url)
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    const headers = new Headers(init.headers)
    if (jar.size > 0)
      headers.set('cookie', Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '))
    const request = { redirect: 'manual', ...init, headers } as const
    const response =
      url.origin === publicUrl
        ? await world.request(url.pathname + url.search, request)
        : await fetch(url, request)
    for (const cookie of response.headers.getSetCookie()) keep(jar, cookie)
    const text = await response.text()
    const told = /data-outcome="(\w*)"\s+data-reason="([^"]*)"/.exec(text)
    return {
      url,
      status: response.status,
      headers: response.headers,
      text,
      outcome: told?.[1],
      reason: told?.[2] || undefined,
    }
  }

  async function open(address: string | URL, init?: RequestInit): Promise<Page> {
    let page = await fetchPage(address, init)
    for (let hops = 0; hops < 20 && page.headers.has('location'); hops++)
      page = await fetchPage(new URL(page.headers.get('location')!, page.url))
    return page
  }

  /** Follows redirects up to our callback, and returns its address with the provider's answer. */
  async function openUntilCallback(address: string | URL): Promise<URL> {
    let page = await fetchPage(address)
    for (let hops = 0; hops < 20; hops++) {
      const next = new URL(page.headers.get('location') ?? 'none:', page.url)
      if (next.pathname.endsWith('/callback') && next.origin === publicUrl) return next
      page = await fetchPage(next)
    }
    throw new Error('The provider never sent us back')
  }

  const cookie = (name: string) => jars.get(new URL(publicUrl).host)?.get(name)

  /** The answer that the app gets when it asks who is signed in. */
  async function whoAmI() {
    const headers = { cookie: `pergola_refresh=${cookie('pergola_refresh')}` }
    return world.does('refreshSession', {}, { headers })
  }

  return { fetchPage, open, openUntilCallback, whoAmI, cookie, visited, jars }
}

/** What the callback page reports when it refuses a sign-in. */
export const refused = (reason: Reason) => ({ outcome: 'refused', reason })

function keep(jar: Jar, cookie: string) {
  const [, name, value, attributes] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie)!
  if (/max-age=0|expires=thu, 01 jan 1970/i.test(attributes!)) jar.delete(name!)
  else jar.set(name!, value!)
}
