import { serve } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { createHash, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { consentPage } from './consent.ts'

export type StandInOptions = {
  /** Shows a page for login and consent. Without it, people are signed in and have agreed. */
  asks?: boolean
  /** Sets Cross-Origin-Opener-Policy, which cuts its pages off from the window that opened them. */
  cutsOff?: boolean
  /** Receives the function that stops the provider. */
  atEnd?: (stop: () => void | Promise<void>) => void
}
type Code = { challenge: string | undefined; redirectUri: string | undefined; login: string }
type Shape = {
  authorize: string
  token: string
  tokenAnswer: object
  /** How its API answers a request with a wrong token. */
  wrongToken: [object, 400 | 401]
  /** Its API by path. `login` is empty if the provider showed no page for a login. */
  answers: Record<string, (login: string, c: Context) => object>
}

/** An OAuth 2 provider: a code works once, with its verifier and for the address that asked. */
export async function aStandIn(
  { authorize, token, tokenAnswer, wrongToken, answers }: Shape,
  { asks = false, cutsOff = false, atEnd = onTestFinished }: StandInOptions,
) {
  const codes = new Map<string, Code>()
  const tokens = new Map<string, string>()
  const tokenRequests: { body: URLSearchParams; authorization: string | undefined }[] = []
  const authorizations: URL[] = []
  const app = new Hono()

  app.get(authorize, (c) => {
    authorizations.push(new URL(c.req.url))
    if (cutsOff) c.header('cross-origin-opener-policy', 'same-origin')
    const {
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      login = '',
    } = c.req.query()
    if (asks && !login) return c.html(consentPage(new URL(c.req.url)))
    const code = randomUUID()
    codes.set(code, { challenge, redirectUri, login })
    return c.redirect(`${redirectUri}?${new URLSearchParams({ code, state: state! })}`)
  })
  app.post(token, async (c) => {
    const body = new URLSearchParams(await c.req.text())
    tokenRequests.push({ body, authorization: c.req.header('authorization') })
    const code = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const verifier = body.get('code_verifier') ?? ''
    const isRight = code?.challenge === createHash('sha256').update(verifier).digest('base64url')
    if (!code || !isRight || code.redirectUri !== body.get('redirect_uri'))
      return c.json({ error: 'invalid_grant' }, 400)
    const accessToken = randomUUID()
    tokens.set(accessToken, code.login)
    return c.json({ access_token: accessToken, token_type: 'bearer', ...tokenAnswer })
  })
  for (const [path, answer] of Object.entries(answers))
    app.get(path, (c) => {
      const login = tokens.get(
        /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '',
      )
      return login === undefined ? c.json(...wrongToken) : c.json(answer(login, c))
    })

  const { promise: listening, resolve } = Promise.withResolvers<AddressInfo>()
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, resolve)
  atEnd(() => void server.close())
  return { url: `http://127.0.0.1:${(await listening).port}`, tokenRequests, authorizations }
}
