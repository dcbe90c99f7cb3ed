import {
  OAuth2Server,
  type MutableRedirectUri,
  type MutableResponse,
  type MutableToken,
  type TokenRequestIncomingMessage,
} from 'oauth2-mock-server'
import { onTestFinished } from 'vitest'
import { consentPage, postingPage } from './consent.ts'
import type { StandInOptions } from './stand-in.ts'
import { addressOf } from './stand-ins.ts'

export type Claims = Record<string, unknown>

/** An OpenID Connect issuer with the same person signed in. A test can spoil its tokens. */
export async function aMockIssuer(
  claims: Claims,
  { asks = false, atEnd = onTestFinished }: StandInOptions = {},
) {
  const server = new OAuth2Server(
    undefined,
    undefined,
    asks ? { endpoints: { authorize: '/consented' } } : {},
  )
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  atEnd(() => server.stop())
  const logins = new Map<unknown, string>()
  const issuer = {
    url: server.issuer.url!,
    claims,
    /** Changes the parameters of the answer before the issuer sends it. */
    spoilAnswer: (_answer: URL) => {},
    spoilToken: (_token: MutableToken) => {},
    /** The answer of the issuer's user info endpoint. */
    userInfo: undefined as Claims | undefined,
    tokenRequests: [] as Record<string, unknown>[],
    authorizations: [] as URL[],
    /** The issuer signs with its keys in turn. */
    addKey: () => server.issuer.keys.generate('RS256'),
  }
  if (asks) askFirst(server)
  server.service.on(
    'beforeTokenSigning',
    (token: MutableToken, request: TokenRequestIncomingMessage) => {
      if (!('aud' in token.payload) || token.payload['aud'] === undefined) return
      issuer.tokenRequests.push({ ...request.body })
      const login = logins.get(request.body.code)
      Object.assign(
        token.payload,
        issuer.claims,
        login && { sub: login, email: addressOf(login), name: login },
      )
      issuer.spoilToken(token)
    },
  )
  server.service.on('beforeUserinfo', (response: MutableResponse) => {
    response.body = issuer.userInfo ?? { sub: issuer.claims['sub'] }
  })
  server.service.on(
    'beforeAuthorizeRedirect',
    ({ url }: MutableRedirectUri, request: { url?: string }) => {
      const asked = new URL(request.url!, issuer.url)
      issuer.authorizations.push(asked)
      logins.set(url.searchParams.get('code'), asked.searchParams.get('login') ?? '')
      issuer.spoilAnswer(url)
    },
  )
  return issuer
}

/** Makes the issuer show a page for login and consent before it answers. */
function askFirst({ service, issuer }: OAuth2Server) {
  service.on('beforeWellKnownOpenIdConfiguration', ({ body }: MutableResponse) => {
    Object.assign(body, { authorization_endpoint: `${issuer.url}/authorize` })
  })
  service.addRoute('GET', '/authorize', async (request, response) => {
    const asked = new URL(request.url!, issuer.url)
    const html = { 'content-type': 'text/html' }
    if (!asked.searchParams.has('login'))
      return void response.writeHead(200, html).end(consentPage(asked))
    const consented = `${issuer.url}/consented${asked.search}`
    if (asked.searchParams.get('response_mode') !== 'form_post')
      return void response.writeHead(302, { location: consented }).end()
    const answer = await fetch(consented, { redirect: 'manual' })
    response.writeHead(200, html).end(postingPage(new URL(answer.headers.get('location')!)))
  })
}

export const ann = {
  sub: 'google-ann',
  email: 'ann@example.com',
  email_verified: true,
  name: 'Ann Archer',
  picture: 'https://pictures.example/ann.png',
}

export function google(issuer: { url: string }) {
  return {
    GOOGLE_CLIENT_ID: 'our-client',
    GOOGLE_CLIENT_SECRET: 'our-secret',
    GOOGLE_ISSUER: issuer.url,
  }
}
