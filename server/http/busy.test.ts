import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '#config/limits.ts'
import { aWorld } from '../../tests/world.ts'
import { listen } from './listen.ts'

/** A server on which all calls wait until `letGo`. */
async function aBlockedServer() {
  const world = await aWorld({ METRICS_TOKEN: 'of-the-operator' })
  const { token } = (await world.signUp('ann')).result!
  const options = { host: '127.0.0.1', port: 0, trustedProxies: 0 as const, isBusy: world.isBusy }
  const http = await listen(world.app, options)
  onTestFinished(() => http.close())
  const url = `http://127.0.0.1:${http.port}`
  const holder = await world.pool.connect()
  await holder.query('begin; lock table sessions')
  return {
    url,
    isBusy: world.isBusy,
    ask: () =>
      fetch(`${url}/api/getUser`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: '{"data":{}}',
      }),
    letGo: async () => {
      await holder.query('commit')
      holder.release()
    },
  }
}

test('while too many calls wait for the database, further ones are refused at once, and health and metrics answer', async () => {
  const { url, ask, letGo } = await aBlockedServer()
  const statusOf = async (path: string, headers = {}) =>
    (await fetch(url + path, { headers })).status
  const refused = new EventTarget()
  // More calls than have a connection or may wait for one.
  const answers = Array.from({ length: limits.calls.burst.waiting + 50 }, async () => {
    const { status } = await ask()
    if (status === 503) refused.dispatchEvent(new Event('one'))
    return status
  })
  await once(refused, 'one')

  const answer = await ask()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({
    error: { status: 'UNAVAILABLE', details: { reason: 'unavailable', retryAfter: 1 } },
  })
  expect(await statusOf('/healthz')).toBe(200)
  expect(await statusOf('/readyz')).toBe(503)
  expect(await statusOf('/metrics', { authorization: 'Bearer of-the-operator' })).toBe(200)

  await letGo()
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200, 503]))
  expect((await ask()).status).toBe(200)
  expect(await statusOf('/readyz')).toBe(200)
})

test(
  'a burst of calls is answered, and further calls are refused if the burst does not end soon',
  { tags: ['slow'] },
  async () => {
    const { ask, isBusy, letGo } = await aBlockedServer()
    const answers = Array.from(
      { length: limits.calls.waiting + 50 },
      async () => (await ask()).status,
    )
    await vi.waitUntil(isBusy, { timeout: 2 * limits.calls.burst.lasts })
    expect((await ask()).status).toBe(503)
    await letGo()
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    expect((await ask()).status).toBe(200)
  },
)
