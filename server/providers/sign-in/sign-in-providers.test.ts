// @module-tag slow
import { signInProviders } from '#config/sign-in-providers.ts'
import { createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { aBrowser, refused } from '../../../tests/sign-in/browser.ts'
import { aLoginIssuer, company, logIn } from '../../../tests/sign-in/login-issuer.ts'
import { ann, aMockIssuer, google } from '../../../tests/sign-in/mock-issuer.ts'
import { aFacebook, aGitHub, aTwitter } from '../../../tests/sign-in/stand-ins.ts'
import { aLog, aWorld, everyProvider, publicUrl, type World } from '../../../tests/world.ts'
import { readEnv } from '../../running/env.ts'
import { checkSignInProviders, openSignInProviders, signInSettings } from './sign-in-providers.ts'

const otherCredential = 'auth/account-exists-with-different-credential'

const client = (prefix: string, issuer: { url: string }) => ({
  [`${prefix}_CLIENT_ID`]: 'our-client',
  [`${prefix}_CLIENT_SECRET`]: 'our-secret',
  [`${prefix}_ISSUER`]: issuer.url,
})

async function signInWith(world: World, name: string) {
  const browser = aBrowser(world)
  const page = await browser.open(`/auth/provider/${name}`)
  if (page.outcome !== 'signedIn') return { page, browser }
  const me = await browser.whoAmI()
  return { page, user: me.user, record: (await world.does('getUser', {}, me)).user, browser }
}

test.each(['google', 'yahoo'])('a person can sign in with %s by OpenID Connect', async (name) => {
  const issuer = await aMockIssuer(ann)
  const world = await aWorld(client(name.toUpperCase(), issuer))
  const { user, record } = await signInWith(world, name)
  expect(user).toMatchObject({ email: ann.email, emailVerified: true, displayName: ann.name })
  expect(record).toMatchObject({ avatar_url: ann.picture, providers: [name] })
  expect(issuer.tokenRequests).toHaveLength(1)
})

test('after an issuer has a new key, at most one sign-in is refused', async () => {
  const issuer = await aMockIssuer(ann)
  const world = await aWorld(google(issuer))
  const signIn = async () => (await aBrowser(world).open('/auth/provider/google')).outcome
  expect(await signIn()).toBe('signedIn')
  await issuer.addKey()
  const outcomes: unknown[] = []
  for (let time = 0; time < 5; time++) outcomes.push(await signIn())
  expect(outcomes.filter((outcome) => outcome !== 'signedIn')).toHaveLength(1)
})

test('a provider that is not what its address says is named at the start', async () => {
  const { lines, log } = aLog('warn')
  const issuer = await aMockIssuer(ann)
  const settings = signInSettings({
    ...google(issuer),
    MICROSOFT_CLIENT_ID: 'our-client',
    MICROSOFT_CLIENT_SECRET: 'our-secret',
    MICROSOFT_ISSUER: `${issuer.url}/another`,
  })
  const enabled = everyProvider
  await checkSignInProviders(openSignInProviders({ settings, enabled, publicUrl }), log)
  expect(lines.map((line) => (JSON.parse(line) as { provider: string }).provider)).toEqual([
    'microsoft',
  ])
})

test('an email address from Microsoft counts as verified only if its domain belongs to the person’s organization', async () => {
  const issuer = await aMockIssuer({ ...ann, email_verified: true })
  const world = await aWorld(client('MICROSOFT', issuer))
  await world.aPerson('ann')
  expect((await signInWith(world, 'microsoft')).page.reason).toBe(otherCredential)
  issuer.claims = { ...ann, xms_edov: true }
  const { page, record } = await signInWith(world, 'microsoft')
  expect(page.outcome).toBe('signedIn')
  expect(record!.providers).toEqual(['microsoft'])
})

test('Apple’s answer is accepted by POST with the person’s name, and requests to Apple have a client secret signed with our key', async () => {
  const issuer = await aMockIssuer({ sub: 'apple-ann', email: ann.email, email_verified: 'true' })
  const { browser, publicKey, comeBack } = await anApple(issuer)
  const { headers } = await browser.fetchPage('/auth/provider/apple')
  expect(headers.getSetCookie()[0]).toMatch(/; Secure; SameSite=None$/)
  const user = { name: { firstName: 'Ann', lastName: 'Archer' }, email: ann.email }
  expect((await comeBack({ user: JSON.stringify(user) })).outcome).toBe('signedIn')
  expect(await browser.whoAmI()).toMatchObject({
    user: { email: ann.email, emailVerified: true, displayName: 'Ann Archer' },
  })

  const asked = Object.fromEntries(issuer.authorizations[0]!.searchParams)
  expect(asked).toMatchObject({ response_mode: 'form_post', scope: 'openid name email' })
  const [header, claims, signature] = String(issuer.tokenRequests[0]!['client_secret']).split('.')
  expect(read(header!)).toEqual({ alg: 'ES256', kid: 'KEY', typ: 'JWT' })
  expect(read(claims!)).toMatchObject({ iss: 'TEAM', sub: 'com.example.web', aud: issuer.url })
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  const [signed, bytes] = [Buffer.from(`${header}.${claims}`), Buffer.from(signature!, 'base64url')]
  expect(verify('sha256', signed, key, bytes)).toBe(true)
})

test('a sign-in that the person cancels at Apple is refused as canceled, and a name from Apple that is not JSON is ignored', async () => {
  const { browser, comeBack } = await anApple(await aMockIssuer({ ...ann, name: undefined }))
  const no = await comeBack({ error: 'user_cancelled_authorize' })
  expect(no.reason).toBe('auth/user-cancelled')
  expect((await comeBack({ user: 'not JSON' })).outcome).toBe('signedIn')
  expect(await browser.whoAmI()).toMatchObject({ user: { displayName: 'ann' } })
})

/** `comeBack` posts Apple's answer with these extra parameters, as Apple's page does. */
async function anApple(issuer: { url: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const world = await aWorld({
    APPLE_CLIENT_ID: 'com.example.web',
    APPLE_TEAM_ID: 'TEAM',
    APPLE_KEY_ID: 'KEY',
    APPLE_PRIVATE_KEY: pem.trim().replaceAll('\n', '\\n'),
    APPLE_ISSUER: issuer.url,
  })
  const browser = aBrowser(world)
  const headers = { 'sec-fetch-site': 'cross-site', origin: issuer.url }
  async function comeBack(parameters: Record<string, string>) {
    const { pathname, searchParams } = await browser.openUntilCallback('/auth/provider/apple')
    const body = new URLSearchParams([...searchParams, ...Object.entries(parameters)])
    return browser.open(pathname, { method: 'POST', body, headers })
  }
  return { browser, publicKey, comeBack }
}

test('a sign-in with GitHub takes the primary email address and whether it is verified', async () => {
  const github = await aGitHub()
  const world = await aWorld(client('GITHUB', github))
  const { user, record } = await signInWith(world, 'github')
  const mona = { email: 'mona@example.com', emailVerified: true, displayName: 'Mona Lisa' }
  expect(user).toMatchObject(mona)
  expect(record).toMatchObject({ avatar_url: 'https://avatars.example/1', providers: ['github'] })
  expect(Object.fromEntries(github.authorizations[0]!.searchParams)).toMatchObject({
    scope: 'read:user user:email',
    code_challenge_method: 'S256',
  })
  expect(github.tokenRequests[0]!.body.get('client_secret')).toBe('our-secret')

  github.emails = [{ email: 'owner@example.com', primary: true, verified: false }]
  github.user = { ...github.user, id: 2 }
  await world.aPerson('owner')
  expect((await signInWith(world, 'github')).page.reason).toBe(otherCredential)
})

test('email addresses from Facebook count as unverified, and requests to Facebook’s API contain a proof of the app secret', async () => {
  const facebook = await aFacebook()
  const world = await aWorld(client('FACEBOOK', facebook))
  const { user, record } = await signInWith(world, 'facebook')
  const fay = { email: 'fay@example.com', emailVerified: false, displayName: 'Fay Field' }
  expect(user).toMatchObject(fay)
  expect(record).toMatchObject({ avatar_url: facebook.picture, providers: ['facebook'] })
  const { accessToken, proof } = facebook.asked[0]!
  expect(proof).toBe(createHmac('sha256', 'our-secret').update(accessToken).digest('hex'))
})

test('a sign-in with X takes the confirmed email address, and sends the client secret in a header', async () => {
  const twitter = await aTwitter()
  const world = await aWorld(client('TWITTER', twitter))
  const { user, record } = await signInWith(world, 'twitter')
  const tia = { email: 'tia@example.com', emailVerified: true, displayName: 'Tia Tern' }
  expect(user).toMatchObject(tia)
  expect(record!.providers).toEqual(['twitter'])
  const secret = Buffer.from('our-client:our-secret').toString('base64')
  expect(twitter.tokenRequests[0]!.authorization).toBe(`Basic ${secret}`)
})

test('a sign-in with X is refused if X gives no email address', async () => {
  const twitter = await aTwitter()
  twitter.user = { id: '7', name: 'Tia Tern', username: 'tia' }
  const { page } = await signInWith(await aWorld(client('TWITTER', twitter)), 'twitter')
  expect(page.reason).toBe('auth/provider-without-email')
})

test('a person can sign in through the login form of a company’s own OpenID Connect issuer', async () => {
  const issuer = await aLoginIssuer({ ann })
  const world = await aWorld(company(issuer))
  const browser = aBrowser(world)
  expect(await logIn(browser, '/auth/provider/oidc', 'ann')).toMatchObject({ outcome: 'signedIn' })
  expect(await browser.whoAmI()).toMatchObject({
    user: { email: ann.email, emailVerified: true, displayName: ann.name },
  })
})

test('a sign-in that the person cancels at a company’s own OpenID Connect issuer is refused as canceled', async () => {
  const issuer = await aLoginIssuer({})
  const browser = aBrowser(await aWorld(company(issuer)))
  const form = await browser.open('/auth/provider/oidc')
  const cancel = /href="([^"]+\/abort)"/.exec(form.text)![1]!
  const page = await browser.open(new URL(cancel, form.url))
  expect(page).toMatchObject(refused('auth/user-cancelled'))
})

test('a sign-in is refused if the issuer’s user info is about another person than its ID token', async () => {
  const issuer = await aMockIssuer({ ...ann, email: undefined })
  issuer.userInfo = { sub: 'somebody-else', email: ann.email, email_verified: true }
  const world = await aWorld(google(issuer))
  expect((await signInWith(world, 'google')).page.reason).toBe('auth/provider-failed')
  issuer.userInfo = { sub: ann.sub, email: ann.email, email_verified: true }
  const { user } = await signInWith(world, 'google')
  expect(user).toMatchObject({ email: ann.email, emailVerified: true })
})

test('when every sign-in provider has settings, the configuration as shipped offers Google and the company’s own issuer', () => {
  const names = ['GOOGLE', 'MICROSOFT', 'FACEBOOK', 'GITHUB', 'TWITTER', 'YAHOO', 'OIDC']
  const all = names.map((name) => client(name, { url: 'https://login.example' }))
  const offer = (environment: Record<string, string>) =>
    openSignInProviders({
      settings: readEnv(environment).signIn,
      enabled: signInProviders,
      publicUrl: 'https://app.example',
    })
  expect(
    Array.from(offer(Object.assign({}, ...all)), ([name, { label }]) => [name, label]),
  ).toEqual([
    ['google', 'Google'],
    ['oidc', 'login.example'],
  ])
  expect(offer({}).size).toBe(0)
})

function read(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
