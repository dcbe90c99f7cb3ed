// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aBrowser, refused } from '../../tests/sign-in/browser.ts'
import { aLoginIssuer, company, logIn } from '../../tests/sign-in/login-issuer.ts'
import { ann, aMockIssuer, google } from '../../tests/sign-in/mock-issuer.ts'
import { aWorld, type Person } from '../../tests/world.ts'

async function aHouse(environment?: Record<string, string>) {
  const issuer = await aMockIssuer({ ...ann, email: 'ann@elsewhere.example' })
  const world = await aWorld(environment ?? google(issuer))

  /** Asks for the URL of the sign-in window in the person's browser, as the app does. */
  async function begin(person: Person, intent: Intent, provider = 'google') {
    const browser = aBrowser(world)
    const { result, headers } = await person.call('startProviderFlow', { provider, intent })
    for (const cookie of headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split('=')
      browser.jars.set('localhost:3000', new Map([[name!, value!]]))
    }
    return { browser, url: result!.url }
  }

  async function goThrough(person: Person, intent: Intent) {
    const { browser, url } = await begin(person, intent)
    return { browser, ...(await browser.open(url)) }
  }

  const providersOf = async (person: Person) => (await person.does('getUser', {})).user.providers
  return { ...world, world, issuer, begin, goThrough, providersOf }
}

type Intent = 'link' | 'reauthenticate'

test('a user can sign in with a sign-in provider that they linked on their profile, and is mailed about the link', async () => {
  const { world, aPerson, mails, goThrough, providersOf } = await aHouse()
  const person = await aPerson('ann')
  const { outcome, browser } = await goThrough(person, 'link')
  expect(outcome).toBe('linked')
  expect(browser.cookie('pergola_refresh')).toBeUndefined()
  expect(await providersOf(person)).toEqual(['google'])
  expect((await mails(person.email))[0]!.text).toContain('Google was linked to your account')

  const other = aBrowser(world)
  await other.open('/auth/provider/google')
  expect(await other.whoAmI()).toMatchObject({ user: { uid: person.uid, email: person.email } })
})

test('linking the same Google account again changes nothing and mails nothing', async () => {
  const { aPerson, mails, goThrough } = await aHouse()
  const person = await aPerson('ann')
  for (const _ of ['once', 'again'])
    expect(await goThrough(person, 'link')).toMatchObject({ outcome: 'linked' })
  const texts = (await mails(person.email)).map(({ text }) => text)
  expect(texts.filter((text) => text.includes('Google was linked'))).toHaveLength(1)
})

test('a Google account that is linked to another user can’t be linked', async () => {
  const { somePeople, goThrough, providersOf } = await aHouse()
  const [bob, carl] = await somePeople('bob', 'carl')
  await goThrough(bob, 'link')
  expect(await goThrough(carl, 'link')).toMatchObject(refused('auth/credential-already-in-use'))
  expect(await providersOf(carl)).toEqual([])
})

test('a user can’t link a second Google account', async () => {
  const { aPerson, issuer, goThrough } = await aHouse()
  const person = await aPerson('ann')
  await goThrough(person, 'link')
  issuer.claims = { ...ann, sub: 'another' }
  expect(await goThrough(person, 'link')).toMatchObject(refused('auth/provider-already-linked'))
})

test('opening a sign-in window that another person began links nothing', async () => {
  const { world, aPerson, begin, providersOf } = await aHouse()
  const thief = await aPerson('thief')
  const { url } = await begin(thief, 'link')
  expect(await aBrowser(world).open(url)).toMatchObject(refused('auth/expired-provider-flow'))
  expect(await providersOf(thief)).toEqual([])
})

test('opening the sign-in URL with intent=link signs in, but never links a provider to the signed-in user', async () => {
  const { world } = await aHouse()
  const browser = aBrowser(world)
  await browser.open('/auth/provider/google?intent=link')
  expect(await browser.whoAmI()).toMatchObject({ user: { email: 'ann@elsewhere.example' } })
})

test('linking a sign-in provider needs a recent sign-in, and must end in the session that began it', async () => {
  const { world, aPerson, begin } = await aHouse()
  const person = await aPerson('ann')
  const { browser, url } = await begin(person, 'link')
  await person.call('signOut', {})
  expect(await browser.open(url)).toMatchObject(refused('auth/expired-provider-flow'))

  const bob = await aPerson('bob')
  world.pass(limits.sessions.recentSignIn + 1000)
  const link = { provider: 'google', intent: 'link' } as const
  await bob.cannot('startProviderFlow', link, 'auth/requires-recent-login')
})

test('a sign-in provider that is not configured can’t be linked', async () => {
  const person = await (await aHouse()).aPerson('ann')
  const link = { provider: 'github', intent: 'link' } as const
  await person.cannot('startProviderFlow', link, 'auth/unknown-provider')
})

test('a sign-in provider can be unlinked unless it is the user’s only way to sign in', async () => {
  const { world, aPerson, services, goThrough } = await aHouse()
  const person = await aPerson('ann')
  const link = { provider: 'google' }
  await person.cannot('unlinkProvider', link, 'auth/no-such-provider')
  await goThrough(person, 'link')
  await services.identity.removePassword(person.uid)
  await person.cannot('unlinkProvider', link, 'auth/last-credential')
  await world.link(person, 'one that is not offered')
  await person.cannot('unlinkProvider', link, 'auth/last-credential')
  await person.call('updatePassword', { newPassword: 'a new password' })
  await person.does('unlinkProvider', link)
  const other = aBrowser(world)
  await other.open('/auth/provider/google')
  expect(await other.whoAmI()).not.toMatchObject({ user: { uid: person.uid } })
})

test('a user without a password re-authenticates with the linked sign-in provider', async () => {
  const { world, aPerson, begin } = await aHouse(company(await aLoginIssuer({ ann: {}, bob: {} })))
  const person = await aPerson('ann')
  const linking = await begin(person, 'link', 'oidc')
  expect(await logIn(linking.browser, linking.url, 'ann')).toMatchObject({ outcome: 'linked' })
  world.pass(limits.sessions.recentSignIn + 1000)
  const isRecent = async () =>
    (await person.refusal('updateEmail', { newEmail: 'new@example.com' })) !==
    'auth/requires-recent-login'
  expect(await isRecent()).toBe(false)

  const asBob = await begin(person, 'reauthenticate', 'oidc')
  expect(await logIn(asBob.browser, asBob.url, 'bob')).toMatchObject(refused('auth/user-mismatch'))
  expect(await isRecent()).toBe(false)

  const asAnn = await begin(person, 'reauthenticate', 'oidc')
  const asked = Object.fromEntries(new URL(asAnn.url).searchParams)
  expect(asked).toMatchObject({ prompt: 'login', max_age: '0' })
  expect(await logIn(asAnn.browser, asAnn.url, 'ann')).toMatchObject({ outcome: 'reauthenticated' })
  expect(asAnn.browser.cookie('pergola_refresh'), 'no session begins').toBeUndefined()
  expect(await isRecent()).toBe(true)
})

test('re-authentication is refused when the sign-in provider did not ask the person to sign in again', async () => {
  const { aPerson, issuer, goThrough } = await aHouse()
  const person = await aPerson('ann')
  await goThrough(person, 'link')
  for (const [age, outcome] of [
    [3600, 'refused'],
    [1, 'reauthenticated'],
  ] as const) {
    issuer.claims = { ...issuer.claims, auth_time: Math.floor(Date.now() / 1000) - age }
    expect((await goThrough(person, 'reauthenticate')).outcome).toBe(outcome)
  }
})

test('re-authentication with a Google account that is not linked to the user is refused', async () => {
  const { aPerson, goThrough } = await aHouse()
  const page = await goThrough(await aPerson('ann'), 'reauthenticate')
  expect(page).toMatchObject(refused('auth/user-mismatch'))
})
