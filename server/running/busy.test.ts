import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '#config/limits.ts'
import { hold } from '../../tests/database.ts'
import { aWorld } from '../../tests/world.ts'
import { hashOf } from '../platform/ids.ts'
import { listen } from './listen.ts'

/** People of whom each asks in turn, because calls of one only wait for each other. */
async function aServer() {
  const world = await aWorld({ METRICS_TOKEN: 'token-of-the-operator' })
  const tokens = Array.from(
    { length: limits.calls.waiting.most + 20 },
    (_, index) => `token${index}`,
  )
  await world.pool.query(
    `with person as (
       insert into users (id, email, email_verified, display_name, created_at, updated_at)
       select token, token, true, token, now(), now() from unnest($1::text[]) token returning id
     ), session as (
       insert into sessions (id, user_id, signed_in_at, used_at, address, user_agent)
       select id, id, now(), now(), '', '' from person
     )
     insert into session_tokens (hash, session_id, kind, expires_at)
     select hash, token, 'access', now() + interval '1 hour' from unnest($1::text[], $2::text[]) given (token, hash)`,
    [tokens, tokens.map((token) => hashOf(token))],
  )
  // From its second call on, the server knows whose turn each token takes.
  for (const token of tokens) await world.call('getUser', {}, { token })
  let asked = 0
  const options = { host: '127.0.0.1', port: 0, trustedProxies: 0 as const, isBusy: world.isBusy }
  const http = await listen(world.app, options)
  onTestFinished(() => http.close())
  const url = `http://127.0.0.1:${http.port}`
  return {
    url,
    ask: () => {
      const token = tokens[asked++ % tokens.length]
      return fetch(`${url}/api/getUser`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: '{"data":{}}',
      })
    },
    /** Makes all calls wait until the result is called. */
    block: () => hold(world.pool, 'lock table sessions'),
  }
}

/** More calls than have a connection or may wait for one, and when the first of them is refused. */
function aCrowd(ask: () => Promise<Response>) {
  const refused = new EventTarget()
  const answers = Array.from({ length: limits.calls.waiting.most + 50 }, async () => {
    const { status } = await ask()
    if (status === 503) refused.dispatchEvent(new Event('one'))
    return status
  })
  return { answers: Promise.all(answers), isRefused: once(refused, 'one') }
}

test('while too many calls wait for the database, further ones are refused at once, and health and metrics answer', async () => {
  const { url, ask, block } = await aServer()
  const letGo = await block()
  const statusOf = async (path: string, headers = {}) =>
    (await fetch(url + path, { headers })).status
  const { answers, isRefused } = aCrowd(ask)
  await isRefused

  const answer = await ask()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({
    error: { status: 'UNAVAILABLE', details: { reason: 'unavailable', retryAfter: 1 } },
  })
  expect(await statusOf('/healthz')).toBe(200)
  expect(await statusOf('/readyz')).toBe(200)
  expect(await statusOf('/metrics', { authorization: 'Bearer token-of-the-operator' })).toBe(200)

  await letGo()
  expect(new Set(await answers)).toEqual(new Set([200, 503]))
  expect((await ask()).status).toBe(200)
})

test(
  'while many calls are refused fewer may wait, and as many as before once calls are answered again',
  { tags: ['slow'] },
  async () => {
    const { ask, block } = await aServer()
    const countLetIn = async () => {
      const letGo = await block()
      const { answers, isRefused } = aCrowd(ask)
      await isRefused
      await letGo()
      return (await answers).filter((status) => status === 200).length
    }
    const atFirst = await countLetIn()
    expect(atFirst).toBeGreaterThanOrEqual(limits.calls.waiting.most)
    expect(await countLetIn()).toBeLessThan(atFirst)
    for (let answered = 0; answered < 50 / limits.calls.waiting.rise; answered++) await ask()
    expect(await countLetIn()).toBeGreaterThanOrEqual(limits.calls.waiting.most)
  },
)
