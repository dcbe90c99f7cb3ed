// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import type { MutableToken } from 'oauth2-mock-server'
import { expect, test } from 'vitest'
import { aBrowser, refused } from '../../tests/sign-in/browser.ts'
import { ann, aMockIssuer, google, type Claims } from '../../tests/sign-in/mock-issuer.ts'
import { aWorld, inParallel, publicUrl } from '../../tests/world.ts'

const start = '/auth/provider/google'

async function aWorldWithGoogle(claims: Claims = ann) {
  const issuer = await aMockIssuer(claims)
  const world = await aWorld(google(issuer))
  const browser = aBrowser(world)
  const account = async () => (await world.does('getUser', {}, await browser.whoAmI())).user
  return { ...world, world, issuer, browser, account, signIn: () => browser.open(start) }
}

test('the first sign-in with Google creates an account with the verified email address, name and picture from Google', async () => {
  const { signIn, browser, account, mails } = await aWorldWithGoogle()
  expect(await signIn()).toMatchObject({ status: 200, outcome: 'signedIn' })
  expect(await browser.whoAmI()).toMatchObject({
    user: { email: 'ann@example.com', emailVerified: true, displayName: 'Ann Archer' },
  })
  expect(await account()).toMatchObject({
    avatar_url: ann.picture,
    has_password: false,
    providers: ['google'],
  })
  expect(await mails('ann@example.com')).toEqual([])
})

test('a later sign-in with Google opens the same account, even if the person’s email address at Google has changed', async () => {
  const { signIn, browser, issuer } = await aWorldWithGoogle()
  await signIn()
  const { user } = await browser.whoAmI()
  issuer.claims = { ...ann, email: 'ann.new@example.com', name: 'Another Name' }
  await signIn()
  expect(await browser.whoAmI()).toMatchObject({ user })
})

test('when a new person signs in with Google in several windows at once, all windows get the same account', async () => {
  const { world } = await aWorldWithGoogle()
  const browsers = [1, 2, 3, 4].map(() => aBrowser(world))
  await Promise.all(browsers.map((browser) => browser.open(start)))
  const people = await Promise.all(browsers.map((browser) => browser.whoAmI()))
  expect(new Set(people.map(({ user }) => user.uid)).size).toBe(1)
})

test('a sign-in with the verified email address of an existing account links Google to it, keeps its name and mails its user', async () => {
  const { signIn, browser, aPerson, mails } = await aWorldWithGoogle()
  const person = await aPerson('ann')
  await signIn()
  expect(await browser.whoAmI()).toMatchObject({ user: { uid: person.uid, displayName: 'ann' } })
  expect((await person.does('getUser', {})).user).toMatchObject({
    has_password: true,
    providers: ['google'],
    avatar_url: ann.picture,
  })
  const texts = (await mails('ann@example.com')).map(({ text }) => text)
  expect(texts).toContainEqual(expect.stringContaining('Google was linked to your account'))
  expect(texts, 'nobody has signed in with this browser before').toContainEqual(
    expect.stringContaining('on a new device'),
  )
})

test('when the real owner of an email address signs in with Google, a person who registered with that address before can no longer sign in', async () => {
  const { signIn, browser, account, aPerson, refusal, world } = await aWorldWithGoogle()
  const thief = await aPerson('ann', { verified: false })
  await world.link(thief, 'github')
  await signIn()
  expect(await browser.whoAmI()).toMatchObject({ user: { uid: thief.uid, emailVerified: true } })
  await thief.cannot('getUser', {}, 'sessionEnded')
  const { email, password, cookie } = thief
  expect(await refusal('signIn', { email, password })).toBe('auth/invalid-credential')
  expect(await refusal('refreshSession', {}, { headers: { cookie } })).toBe('sessionEnded')
  expect(await account()).toMatchObject({ has_password: false, providers: ['google'] })
})

test('a sign-in with an unverified email address creates an account and mails a verification link', async () => {
  const { signIn, browser, mails } = await aWorldWithGoogle({ ...ann, email_verified: false })
  expect(await signIn()).toMatchObject({ outcome: 'signedIn' })
  expect(await browser.whoAmI()).toMatchObject({ user: { emailVerified: false } })
  expect((await mails('ann@example.com'))[0]!.links[0]).toContain('mode=verifyEmail')
})

test.each([
  ['verified', true],
  ['unverified', false],
])(
  'a sign-in with an unverified email address is refused when an account has that address, and has it %s',
  async (_, verified) => {
    const { signIn, browser, aPerson } = await aWorldWithGoogle({
      ...ann,
      email_verified: undefined,
    })
    const person = await aPerson('ann', { verified })
    expect(await signIn()).toMatchObject(refused('auth/account-exists-with-different-credential'))
    expect(browser.cookie('pergola_refresh')).toBeUndefined()
    expect((await person.does('getUser', {})).user).toMatchObject({
      has_password: true,
      providers: [],
    })
  },
)

test.each([
  [undefined, 'auth/provider-without-email'],
  ['', 'auth/provider-without-email'],
  ['not an address', 'auth/provider-email-invalid'],
] as const)('a provider sign-in with the email address %j is refused', async (email, reason) => {
  const { signIn } = await aWorldWithGoogle({ ...ann, email })
  expect(await signIn()).toMatchObject(refused(reason))
})

test('a second Google account with the same email address cannot sign in to an account that is linked to the first one', async () => {
  const { signIn, issuer } = await aWorldWithGoogle()
  await signIn()
  issuer.claims = { ...ann, sub: 'somebody-else' }
  expect(await signIn()).toMatchObject(refused('auth/provider-already-linked'))
})

test('an invalid name or picture from Google is corrected or left out', async () => {
  const { signIn, browser, account } = await aWorldWithGoogle({
    ...ann,
    name: `\0${'x'.repeat(300)}`,
    picture: 'javascript:alert(1)',
  })
  await signIn()
  expect((await browser.whoAmI()).user.displayName).toBe('x'.repeat(100))
  expect((await account()).avatar_url).toBeNull()
})

test('a disabled account cannot sign in', async () => {
  const { signIn, aPerson, world } = await aWorldWithGoogle()
  const { uid } = await aPerson('ann')
  const user = (await world.services.store.users.find(uid))!
  await world.services.store.users.copyAccount(user, { ...user, disabled: true }, new Date())
  expect(await signIn()).toMatchObject(refused('auth/user-disabled'))
})

test('a person who refuses consent at Google is not signed in, and the page says so', async () => {
  const { signIn, issuer, browser } = await aWorldWithGoogle()
  issuer.spoilAnswer = (url) => {
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
  }
  const page = await signIn()
  expect(page).toMatchObject(refused('auth/user-cancelled'))
  expect(page.text).toContain('You declined at the provider')
  expect(browser.cookie('pergola_refresh')).toBeUndefined()
})

test.each<[string, (token: MutableToken) => unknown]>([
  ['with a wrong nonce', ({ payload }) => (payload['nonce'] = 'wrong')],
  ['without a nonce', ({ payload }) => delete payload['nonce']],
  ['for another client', ({ payload }) => (payload['aud'] = 'another-client')],
  ['of another issuer', ({ payload }) => (payload.iss = 'https://evil.example')],
  ['that has expired', ({ payload }) => (payload.exp = payload.iat - 3600)],
  ['signed by an unknown key', ({ header }) => (header.kid = 'unknown')],
])('a Google ID token %s signs nobody in', async (_, spoil) => {
  const { signIn, issuer, browser } = await aWorldWithGoogle()
  issuer.spoilToken = spoil
  expect(await signIn()).toMatchObject(refused('auth/provider-failed'))
  expect(browser.cookie('pergola_refresh')).toBeUndefined()
})

test('the sign-in page says when Google can’t be reached', async () => {
  const world = await aWorld(google({ url: 'http://127.0.0.1:9' }))
  expect(await aBrowser(world).open(start)).toMatchObject(refused('auth/provider-failed'))
})

test('an answer of the sign-in provider with a wrong, missing or repeated state is refused', async () => {
  const { browser } = await aWorldWithGoogle()
  const callback = await browser.openUntilCallback(start)
  const state = callback.searchParams.get('state')!
  for (const states of [['wrong'], [], ['wrong', state]]) {
    const url = new URL(callback)
    url.searchParams.delete('state')
    for (const value of states) url.searchParams.append('state', value)
    expect(await browser.open(url)).toMatchObject(refused('auth/expired-provider-flow'))
  }
  expect(await browser.open(callback)).toMatchObject({ outcome: 'signedIn' })
})

test('an answer of the sign-in provider is refused when its state, or its code in another sign-in, was used before', async () => {
  const { browser, world } = await aWorldWithGoogle()
  const callback = await browser.openUntilCallback(start)
  const cookies = new Map(browser.jars.get('localhost:3000'))
  await browser.open(callback)
  browser.jars.set('localhost:3000', cookies)
  expect(await browser.open(callback)).toMatchObject(refused('auth/expired-provider-flow'))

  const other = aBrowser(world)
  const next = await other.openUntilCallback(start)
  next.searchParams.set('code', callback.searchParams.get('code')!)
  expect(await other.open(next)).toMatchObject(refused('auth/provider-failed'))
})

test('when several requests bring the same answer of the sign-in provider at once, only one signs in', async () => {
  const { browser, world } = await aWorldWithGoogle()
  const callback = await browser.openUntilCallback(start)
  const cookie = Array.from(
    browser.jars.get('localhost:3000')!,
    ([name, value]) => `${name}=${value}`,
  ).join('; ')
  const answers = await inParallel(8, async () =>
    (await world.request(callback.pathname + callback.search, { headers: { cookie } })).text(),
  )
  expect(answers.filter((text) => text.includes('data-outcome="signedIn"'))).toHaveLength(1)
})

test('an answer of the sign-in provider works only in the browser that started the sign-in, and only for ten minutes', async () => {
  const { browser, world } = await aWorldWithGoogle()
  const callback = await browser.openUntilCallback(start)
  expect(await aBrowser(world).open(callback)).toMatchObject(refused('auth/expired-provider-flow'))
  world.pass(limits.providerFlow + 1)
  expect(await browser.open(callback)).toMatchObject(refused('auth/expired-provider-flow'))
})

test('an answer of one sign-in provider is refused at the callback URL of another', async () => {
  const issuer = await aMockIssuer(ann)
  const world = await aWorld({
    ...google(issuer),
    YAHOO_CLIENT_ID: 'our-client',
    YAHOO_CLIENT_SECRET: 'x',
    YAHOO_ISSUER: issuer.url,
  })
  const browser = aBrowser(world)
  const callback = await browser.openUntilCallback(start)
  callback.pathname = '/auth/provider/yahoo/callback'
  expect(await browser.open(callback)).toMatchObject(refused('auth/expired-provider-flow'))
})

test('two windows of one browser can sign in with a provider at the same time', async () => {
  const { browser } = await aWorldWithGoogle()
  const [first, second] = [
    await browser.openUntilCallback(start),
    await browser.openUntilCallback(start),
  ]
  expect(await browser.open(first)).toMatchObject({ outcome: 'signedIn' })
  expect(await browser.open(second)).toMatchObject({ outcome: 'signedIn' })
})

test('signing in with a provider always starts a new session, even if the browser sends an old session cookie', async () => {
  const { browser, signIn, aPerson, refresh } = await aWorldWithGoogle()
  const thief = await aPerson('thief')
  const planted = /pergola_refresh=([^;]+)/.exec(thief.cookie)![1]!
  browser.jars.set('localhost:3000', new Map([['pergola_refresh', planted]]))
  await signIn()
  expect(browser.cookie('pergola_refresh')).not.toBe(planted)
  expect(await browser.whoAmI()).toMatchObject({ user: { email: 'ann@example.com' } })
  expect((await refresh(thief.cookie)).result!.user.uid).toBe(thief.uid)
})

test('a provider sign-in returns to PUBLIC_URL, even if headers or parameters of the request name another site', async () => {
  const { browser, issuer, world } = await aWorldWithGoogle()
  const wishes = ['redirect_uri', 'redirect', 'next', 'returnTo', 'url', 'continue', 'state'].map(
    (name) => [name, 'https://evil.example/'],
  )
  const page = await browser.open(`${start}?${new URLSearchParams(wishes)}`, {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  expect(page).toMatchObject({ outcome: 'signedIn', status: 200 })
  expect(page.headers.get('location')).toBeNull()
  expect(page.text).not.toContain('evil.example')
  const asked = issuer.authorizations[0]!.searchParams
  expect(asked.get('redirect_uri')).toBe(`${publicUrl}/auth/provider/google/callback`)
  expect(asked.toString()).not.toContain('evil')
  for (const path of [
    '//evil.example',
    '/https://evil.example',
    '/evil.example/callback?next=https://evil.example',
  ])
    expect((await world.request(`/auth/provider${path}`)).headers.get('location')).toBeNull()
})

test('each provider sign-in has a new PKCE challenge, state and nonce', async () => {
  const { signIn, issuer } = await aWorldWithGoogle()
  await signIn()
  await signIn()
  const [first, second] = issuer.authorizations.map(({ searchParams }) =>
    Object.fromEntries(searchParams),
  )
  expect(first).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid email profile',
    client_id: 'our-client',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(first![name]).toMatch(/^[\w-]{43}$/)
    expect(first![name]).not.toBe(second![name])
  }
  expect(issuer.tokenRequests[0]).toMatchObject({
    client_secret: 'our-secret',
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('during a provider sign-in no URL of our server contains a token', async () => {
  const { signIn, browser } = await aWorldWithGoogle()
  await signIn()
  const refreshToken = browser.cookie('pergola_refresh')!
  const { token } = await browser.whoAmI()
  for (const url of browser.visited)
    for (const secret of [refreshToken, token]) expect(url.href).not.toContain(secret)
})

test('the pages in the window of a provider sign-in send no referrer, are not cached, and can send messages to the app', async () => {
  const { browser, world } = await aWorldWithGoogle()
  const pages = [
    await browser.fetchPage(start),
    await browser.open(start),
    await aBrowser(world).open('/auth/provider/google/callback'),
  ]
  for (const { headers } of pages) {
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('cross-origin-opener-policy')).toBeNull()
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'",
    )
    expect(headers.get('x-frame-options')).toBe('DENY')
  }
})

test('the cookie of a provider sign-in is sent to our server only, and removed afterwards', async () => {
  const { browser } = await aWorldWithGoogle()
  const [cookie] = (await browser.fetchPage(start)).headers.getSetCookie()
  expect(cookie).toMatch(
    /^pergola_flow_[\w-]{12}=[\w-]{43}; Path=\/auth\/provider; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  )
  const after = aBrowser((await aWorldWithGoogle()).world)
  await after.open(start)
  expect(Array.from(after.jars.get('localhost:3000')!.keys())).toEqual([
    'pergola_refresh',
    'pergola_signed_in',
    'pergola_device',
  ])
})

test('pages of other sites can’t start a provider sign-in', async () => {
  const { browser } = await aWorldWithGoogle()
  for (const site of ['cross-site', 'same-site'])
    expect(await browser.open(start, { headers: { 'sec-fetch-site': site } })).toMatchObject({
      outcome: 'refused',
    })
  expect(await browser.open(start, { headers: { 'sec-fetch-site': 'same-origin' } })).toMatchObject(
    { outcome: 'signedIn' },
  )
})

test('a sign-in with an unknown or unconfigured provider is refused', async () => {
  const { browser } = await aWorldWithGoogle()
  for (const name of ['github', 'nothing', 'constructor', '__proto__'])
    expect(await browser.open(`/auth/provider/${name}`), name).toMatchObject(
      refused('auth/unknown-provider'),
    )
})

test('provider sign-ins from one network have a rate limit', async () => {
  const { browser } = await aWorldWithGoogle()
  const { tries } = rateLimits.providerByNetwork
  const pages = await inParallel(tries + 1, () => browser.fetchPage(start))
  expect(pages.filter(({ reason }) => reason === 'auth/too-many-requests')).toHaveLength(1)
})

test('forbidden characters are removed from a person’s name from Google; if nothing is left, the name comes from the email address', async () => {
  const { signIn, browser, issuer } = await aWorldWithGoogle({
    ...ann,
    name: 'Ann\u202E\u200B at\nhttps://evil.example',
  })
  await signIn()
  expect(await browser.whoAmI()).toMatchObject({
    user: { displayName: 'Ann at https evil.example' },
  })
  issuer.claims = { ...ann, sub: 'google-bob', email: 'www.bob@example.com', name: '\u3164\u200D' }
  await signIn()
  expect(await browser.whoAmI()).toMatchObject({ user: { displayName: 'bob' } })
})

test.each([
  ['a null character', 'google\0ann'],
  ['half a character', 'google\uD800ann'],
  ['too many characters', 'a'.repeat(3000)],
  ['no characters', ''],
])('a sign-in is refused when the person’s id at Google has %s', async (_, sub) => {
  const { signIn } = await aWorldWithGoogle({ ...ann, sub })
  expect(await signIn()).toMatchObject({ reason: 'auth/provider-failed' })
})
