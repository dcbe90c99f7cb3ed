import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { listening } from '../http-server.ts'
import { publicUrl } from '../world.ts'
import type { aBrowser, Page } from './browser.ts'

type People = Record<string, Record<string, unknown>>

/** A certified OpenID Connect issuer (oidc-provider) with a login form, like a company's own. */
export async function aLoginIssuer(people: People, name = 'oidc') {
  const server = createServer()
  const url = await listening(server)
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'our-client',
        client_secret: 'our-secret',
        redirect_uris: [`${publicUrl}/auth/provider/${name}/callback`],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    findAccount: (_context: unknown, id: string) =>
      people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: true } },
  })
  server.on('request', provider.callback())
  return { url }
}

export function company(issuer: { url: string }) {
  return {
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: 'our-client',
    OIDC_CLIENT_SECRET: 'our-secret',
    OIDC_NAME: 'Example Inc.',
  }
}

/** Fills in the issuer's forms, one after the other, until it sends the browser back to us. */
export async function logIn(
  browser: ReturnType<typeof aBrowser>,
  start: string | URL,
  login: string,
): Promise<Page> {
  let page = await browser.open(start)
  while (page.outcome === undefined) {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1]
    if (!action) throw new Error(`There is no form on ${page.url.href}: ${page.text.slice(0, 300)}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? ''
    const body = new URLSearchParams({
      prompt,
      ...(prompt === 'login' && { login, password: 'any' }),
    })
    page = await browser.open(new URL(action, page.url), { method: 'POST', body })
  }
  return page
}
