import { expect, test } from 'vitest'
import { aProgram } from '../../tests/a-program.ts'
import { aWorld } from '../../tests/world.ts'

const origin = 'https://tools.example.com'
const allowed = { ALLOWED_ORIGINS: `${origin}, https://example.org` }

const asks = (headers: Record<string, string>) => ({ method: 'OPTIONS', headers })
const preflight = (from: string) =>
  asks({
    origin: from,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  })

test('a page of an allowed origin makes calls and hears changes with a token, and of no other', async () => {
  const world = await aWorld(allowed)
  const { token } = await aProgram(world, await world.aPerson())
  const authorization = `Bearer ${token}`
  for (const path of ['/api/listSubscriptions', '/live', '/openapi.json'])
    for (const [from, answered] of [
      [origin, origin],
      ['https://example.org', 'https://example.org'],
      ['https://evil.example', null],
      ['null', null],
    ] as const) {
      const may = await world.request(path, preflight(from))
      expect(may.headers.get('access-control-allow-origin'), path).toBe(answered)
      expect(may.headers.get('access-control-allow-headers')).toContain('authorization')
      expect(may.headers.get('access-control-allow-credentials')).toBeNull()
    }
  const { headers } = await world.call('listSubscriptions', {}, { token, headers: { origin } })
  expect(headers.get('access-control-allow-origin')).toBe(origin)
  expect(headers.get('vary')).toMatch(/\borigin\b/i)
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  const described = await world.request('/openapi.json', { headers: { origin } })
  expect(described.headers.get('access-control-allow-origin')).toBe(origin)
  const stream = await world.request('/live', { headers: { authorization, origin } })
  expect(stream.headers.get('access-control-allow-origin')).toBe(origin)
  await stream.body!.cancel()
  const page = await world.request('/healthz', { headers: { origin } })
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
})

test('a cookie that comes from another origin counts for nothing', async () => {
  const world = await aWorld(allowed)
  const { cookie } = await world.aPerson()
  for (const others of [{ origin }, { origin, 'sec-fetch-site': 'same-origin' }]) {
    const headers = { cookie, ...others } as Record<string, string>
    await world.cannot('refreshSession', {}, 'notSignedIn', { headers })
  }
  expect((await world.refresh(cookie)).status).toBe(200)
})

test('without ALLOWED_ORIGINS no other origin is let in', async () => {
  const world = await aWorld()
  const { headers } = await world.request('/api/listSubscriptions', preflight(origin))
  expect(headers.get('access-control-allow-origin')).toBeNull()
})
