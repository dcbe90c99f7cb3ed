// @module-tag slow
import { expect, test } from 'vitest'
import { aMockIssuer, ann, google } from '../../tests/sign-in/mock-issuer.ts'
import { aLog, aWorld, cookieHeader, type Person } from '../../tests/world.ts'

const https = { PUBLIC_URL: 'https://localhost:3000' }

test('with an https PUBLIC_URL no other host of the domain can set the server’s cookies', async () => {
  const world = await aWorld({ ...https, ...google(await aMockIssuer(ann)) })
  const bob = await world.signUp('bob')
  const flow = await world.request('/auth/provider/google')
  const cookies = [...bob.headers.getSetCookie(), ...flow.headers.getSetCookie()]
  expect(cookies.map((cookie) => cookie.split('=')[0]).sort()).toEqual([
    '__Host-pergola_device',
    '__Host-pergola_flow_' + /flow_([\w-]{12})=/.exec(cookies.join())![1],
    '__Host-pergola_refresh',
    '__Host-pergola_signed_in',
  ])
  for (const cookie of cookies)
    expect(cookie).toMatch(/^(?=.*; Path=\/;)(?=.*; Secure;)(?!.*; Domain=)/)
  const refresh = (cookie: string) => world.refresh(cookie)
  const cookie = cookieHeader(bob.headers.getSetCookie())
  expect(
    (await refresh(cookie.replaceAll('__Host-', ''))).status,
    'without the prefix anybody may have set it',
  ).toBe(401)
  expect((await refresh(cookie)).status).toBe(200)
  const left = await world.call('signOut', {}, { token: bob.result!.token })
  expect(
    left.headers.getSetCookie().map((cookie) => /^([^=]+)=; Max-Age=0; Path=\/;/.exec(cookie)![1]),
  ).toEqual(['__Host-pergola_refresh', '__Host-pergola_signed_in'])
})

test('with an http PUBLIC_URL the names of cookies have no prefix', async () => {
  const { cookie }: Person = await (await aWorld()).aPerson()
  expect(cookie.match(/[\w-]+(?==)/g)).toEqual(
    expect.arrayContaining(['pergola_device', 'pergola_refresh', 'pergola_signed_in']),
  )
})

test('the device cookie is hidden from scripts and lasts 400 days', async () => {
  const world = await aWorld()
  const { headers } = await world.signUp('ann')
  const cookie = headers.getSetCookie().find((cookie) => cookie.startsWith('pergola_device='))
  expect(cookie).toMatch(
    /^pergola_device=[\w-]{22}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
})

test('requests through a proxy that TRUST_PROXY does not trust are logged once', async () => {
  const warnings = async (environment: Record<string, string>) => {
    const { lines, log } = aLog('warn')
    const world = await aWorld(environment, log)
    for (const address of ['203.0.113.1', '203.0.113.2'])
      await world.call('refreshSession', {}, { headers: { 'x-forwarded-for': address } })
    return lines.filter((line) => line.includes('TRUST_PROXY'))
  }
  expect(await warnings({})).toHaveLength(1)
  expect(await warnings({ TRUST_PROXY: '1' })).toEqual([])
})

test('the list of a user’s sessions shows full IP addresses, not their networks', async () => {
  const world = await aWorld({ TRUST_PROXY: '1' })
  const { email, password } = await world.aPerson()
  const headers = { 'x-forwarded-for': '[2001:db8::7]:443' }
  const { token } = await world.does('signIn', { email, password }, { headers })
  const { sessions } = await world.does('listSessions', {}, { token })
  expect(sessions.map(({ address }) => address)).toEqual(['2001:db8::7', 'unknown'])
})
