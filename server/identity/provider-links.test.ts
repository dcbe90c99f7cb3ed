import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aBrowser, refused } from '../../tests/sign-in/browser.ts'
import { aLoginIssuer, company, logIn } from '../../tests/sign-in/login-issuer.ts'
import { ann, aMockIssuer, google } from '../../tests/sign-in/mock-issuer.ts'
import { aWorld, type Person } from '../../tests/world.ts'

async function aHouse() {
  const issuer = await aMockIssuer({ ...ann, email: 'ann@elsewhere.example' })
  const world = await aWorld(google(issuer))
  return { ...world, world, issuer }
}

type World = Awaited<ReturnType<typeof aWorld>>

/** As the app does: asks for the address of the window, in the person's browser. */
async function startFlow(
  world: World,
  person: Person,
  intent: 'link' | 'reauthenticate',
  provider = 'google',
) {
  const browser = aBrowser(world)
  const { result, error, headers } = await person.call('startProviderFlow', { provider, intent })
  for (const cookie of headers.getSetCookie()) {
    const [name, value] = cookie.split(';')[0]!.split('=')
    browser.jars.set('localhost:3000', new Map([[name!, value!]]))
  }
  return { browser, url: result?.url ?? '', error }
}

test('a provider linked on the profile lets its user in and is announced by mail', async () => {
  const { world, aPerson, mails } = await aHouse()
  const person = await aPerson('ann')
  const { browser, url } = await startFlow(world, person, 'link')
  expect(await browser.open(url)).toMatchObject({ outcome: 'linked' })
  expect(browser.cookie('atrium_refresh')).toBeUndefined()
  expect((await person.does('getUser', {})).user.providers).toEqual(['google'])
  expect((await mails(person.email))[0]!.text).toContain('Google was linked to your account')

  const other = aBrowser(world)
  await other.open('/auth/provider/google')
  expect(await other.whoAmI()).toMatchObject({ user: { uid: person.uid, email: person.email } })
})

test('linking the same account again changes nothing and mails nothing', async () => {
  const { world, aPerson, mails } = await aHouse()
  const person = await aPerson('ann')
  for (let round = 0; round < 2; round++) {
    const { browser, url } = await startFlow(world, person, 'link')
    expect(await browser.open(url)).toMatchObject({ outcome: 'linked' })
  }
  const texts = (await mails(person.email)).map(({ text }) => text)
  expect(texts.filter((text) => text.includes('Google was linked'))).toHaveLength(1)
})

test('an account at the provider that is linked to another user is refused', async () => {
  const { world, aPerson } = await aHouse()
  const [bob, carl] = [await aPerson('bob'), await aPerson('carl')]
  const first = await startFlow(world, bob, 'link')
  await first.browser.open(first.url)
  const second = await startFlow(world, carl, 'link')
  const page = await second.browser.open(second.url)
  expect(page).toMatchObject(refused('auth/credential-already-in-use'))
  expect((await carl.does('getUser', {})).user.providers).toEqual([])
})

test('a second account at the same provider is refused', async () => {
  const { world, aPerson, issuer } = await aHouse()
  const person = await aPerson('ann')
  const first = await startFlow(world, person, 'link')
  await first.browser.open(first.url)
  issuer.claims = { ...ann, sub: 'another' }
  const second = await startFlow(world, person, 'link')
  const page = await second.browser.open(second.url)
  expect(page).toMatchObject(refused('auth/provider-already-linked'))
})

test('a link flow that another person began links nothing', async () => {
  const { world, aPerson } = await aHouse()
  const thief = await aPerson('thief')
  const { url } = await startFlow(world, thief, 'link')
  const victim = aBrowser(world)
  expect(await victim.open(url)).toMatchObject(refused('auth/expired-provider-flow'))
  expect((await thief.does('getUser', {})).user.providers).toEqual([])
})

test('linking can’t begin at an address that is open to everybody', async () => {
  const { world } = await aHouse()
  const browser = aBrowser(world)
  await browser.open('/auth/provider/google?intent=link')
  expect(await browser.whoAmI()).toMatchObject({ user: { email: 'ann@elsewhere.example' } })
})

test('linking needs a recent sign-in and the session that began it', async () => {
  const { world, aPerson } = await aHouse()
  const person = await aPerson('ann')
  const { browser, url } = await startFlow(world, person, 'link')
  await person.call('signOut', {})
  expect(await browser.open(url)).toMatchObject(refused('auth/expired-provider-flow'))

  const bob = await aPerson('bob')
  world.pass(limits.sessions.recentSignIn + 1000)
  const link = { provider: 'google', intent: 'link' } as const
  await bob.cannot('startProviderFlow', link, 'auth/requires-recent-login')
})

test('a provider that is not offered can’t be linked', async () => {
  const { aPerson } = await aHouse()
  const person = await aPerson('ann')
  const link = { provider: 'github', intent: 'link' } as const
  await person.cannot('startProviderFlow', link, 'auth/unknown-provider')
})

test('a provider can be unlinked unless it is the last way in', async () => {
  const { world, aPerson, services } = await aHouse()
  const person = await aPerson('ann')
  await person.cannot('unlinkProvider', { provider: 'google' }, 'auth/no-such-provider')
  const { browser, url } = await startFlow(world, person, 'link')
  await browser.open(url)
  await services.identity.removePassword(person.uid)
  await person.cannot('unlinkProvider', { provider: 'google' }, 'auth/last-credential')
  await world.link(person, 'closed')
  expect(
    await person.refusal('unlinkProvider', { provider: 'google' }),
    'the other one is not offered',
  ).toBe('auth/last-credential')
  await person.call('updatePassword', { newPassword: 'a new password' })
  expect((await person.call('unlinkProvider', { provider: 'google' })).error).toBeUndefined()
  const other = aBrowser(world)
  await other.open('/auth/provider/google')
  expect(await other.whoAmI()).not.toMatchObject({ user: { uid: person.uid } })
})

test('a user without a password re-authenticates with the linked provider', async () => {
  const issuer = await aLoginIssuer({
    ann: { email: 'ann@example.com', email_verified: true, name: 'Ann Archer' },
    bob: {},
  })
  const world = await aWorld(company(issuer))
  const person = await world.aPerson('ann')
  const linking = await startFlow(world, person, 'link', 'oidc')
  expect(await logIn(linking.browser, linking.url, 'ann')).toMatchObject({ outcome: 'linked' })
  world.pass(limits.sessions.recentSignIn + 1000)
  const isRecent = async () =>
    (await person.refusal('updateEmail', { newEmail: 'new@example.com' })) !==
    'auth/requires-recent-login'
  expect(await isRecent()).toBe(false)

  const asBob = await startFlow(world, person, 'reauthenticate', 'oidc')
  expect(await logIn(asBob.browser, asBob.url, 'bob')).toMatchObject(refused('auth/user-mismatch'))
  expect(await isRecent()).toBe(false)

  const asAnn = await startFlow(world, person, 'reauthenticate', 'oidc')
  expect(Object.fromEntries(new URL(asAnn.url).searchParams)).toMatchObject({
    prompt: 'login',
    max_age: '0',
  })
  expect(await logIn(asAnn.browser, asAnn.url, 'ann')).toMatchObject({ outcome: 'reauthenticated' })
  expect(asAnn.browser.cookie('atrium_refresh'), 'no session begins').toBeUndefined()
  expect(await isRecent()).toBe(true)
})

test('a sign-in that the provider only remembers does not count as recent', async () => {
  const { world, aPerson, issuer } = await aHouse()
  const person = await aPerson('ann')
  const linking = await startFlow(world, person, 'link')
  await linking.browser.open(linking.url)
  for (const [age, outcome] of [
    [3600, 'refused'],
    [1, 'reauthenticated'],
  ] as const) {
    issuer.claims = { ...issuer.claims, auth_time: Math.floor(Date.now() / 1000) - age }
    const { browser, url } = await startFlow(world, person, 'reauthenticate')
    expect((await browser.open(url)).outcome).toBe(outcome)
  }
})

test('re-authentication with an account that is not linked is refused', async () => {
  const { world, aPerson } = await aHouse()
  const person = await aPerson('ann')
  const { browser, url } = await startFlow(world, person, 'reauthenticate')
  expect(await browser.open(url)).toMatchObject(refused('auth/user-mismatch'))
})
