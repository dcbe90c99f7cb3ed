import { violationsOf } from './violations.ts'

export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

/** A `fetch` that throws if Stripe would refuse the request or would never send the answer. */
export function validatingFetch(fetch: Fetch, violations: string[]): Fetch {
  return async (url, init) => {
    const { method, url: address, headers } = new Request(url, init)
    const response = await fetch(url, init)
    const found = violationsOf(
      { method, url: address, headers, body: typeof init?.body === 'string' ? init.body : '' },
      { status: response.status, headers: response.headers, body: await response.clone().text() },
    )
    violations.push(...found)
    if (found.length > 0) throw new Error(found.join('\n'))
    return response
  }
}
