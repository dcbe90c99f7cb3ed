// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { anAuthenticator, codeAt, waiting } from '../../tests/an-authenticator.ts'
import { aBrowser, refused, type Page } from '../../tests/sign-in/browser.ts'
import { ann as atGoogle, aMockIssuer, google } from '../../tests/sign-in/mock-issuer.ts'
import {
  aLog,
  aWorld,
  aWorldWith,
  cookieHeader,
  countOutcomes,
  openWorld,
  reasonOf,
  type Person,
  type World,
} from '../../tests/world.ts'
import { newKey } from '../platform/secrets.ts'

const needed = 'auth/multi-factor-auth-required'
const wrong = 'auth/invalid-verification-code'
const notRecent = 'auth/requires-recent-login'
const newPassword = 'brand new horse'

/** Ann, whose second step is on. At Google she has the same address. */
async function aCarefulPerson() {
  const world = await aWorld(google(await aMockIssuer(atGoogle)))
  const ann = await world.aPerson('ann')
  return { world, ann, app: await anAuthenticator(world, ann) }
}

type Scene = Awaited<ReturnType<typeof aCarefulPerson>>

/** Signs in up to the second step. */
async function passFirst(world: World, { email, password }: Person, cookie = '') {
  const answer = await world.call('signIn', { email, password }, { headers: { cookie } })
  expect(reasonOf(answer)).toBe(needed)
  return waiting(answer, cookie)
}

/** Signs in, and returns the access token and the browser's cookies. */
async function signIn(world: World, person: Person, step: object, rememberBrowser = false) {
  const { resolver, headers } = await passFirst(world, person)
  const answer = await world.call(
    'finishSignIn',
    { resolver, rememberBrowser, ...step },
    { headers },
  )
  expect(answer).toMatchObject({ status: 200 })
  return { token: answer.result!.token, cookie: cookieHeader(answer.headers.getSetCookie()) }
}

/** The second step of a sign-in at a provider, in the window's browser. */
function waitingAt(browser: ReturnType<typeof aBrowser>, { text }: Page) {
  const details = /data-details="([^"]*)"/.exec(text)![1]!.replaceAll('&quot;', '"')
  const { resolver } = JSON.parse(details) as { resolver: string }
  return { resolver, headers: { cookie: `pergola_waiting=${browser.cookie('pergola_waiting')}` } }
}

/** As after a change of address whose link somebody has opened without a session. */
const unclaim = ({ world, ann }: Scene) =>
  world.pool.query('update users set claimed = false where id = $1', [ann.uid])

async function addApp(world: World, person: Person) {
  const { enrollmentId, secret = '' } = await person.does('startFactorEnrollment', { type: 'totp' })
  const code = codeAt(secret, world.services.now())
  const { factor } = await person.does('finishFactorEnrollment', { enrollmentId, code })
  return { id: factor.id, secret }
}

const factorsOf = (world: World, { uid }: Person) => world.services.store.factors.listOf(uid)

async function codeOf(world: World, { email }: Person, subject: string) {
  const mail = (await world.mails(email)).find((mail) => mail.subject.includes(subject))
  return new URL(mail!.links[0]!).searchParams.get('oobCode')!
}

test('a provider asks for the second step, linked by now or before, and its window finishes it', async () => {
  const { world, ann, app } = await aCarefulPerson()
  for (const linked of ['by its address', 'before']) {
    const browser = aBrowser(world)
    const page = await browser.open('/auth/provider/google')
    expect(page, linked).toMatchObject(refused(needed))
    expect(browser.cookie('pergola_refresh'), linked).toBeUndefined()
    const { resolver, headers } = waitingAt(browser, page)
    await world.cannot('finishSignIn', { resolver, code: app.code() }, 'auth/resolver-expired')
    const { user } = await world.does('finishSignIn', { resolver, code: app.code() }, { headers })
    expect(user.uid).toBe(ann.uid)
  }
})

test('a remembered browser skips the step at a sign-in, at no reset, claim or recovery', async () => {
  const scene = await aCarefulPerson()
  const { world, ann, app } = scene
  const { email, password } = ann
  const { cookie } = await signIn(world, ann, { code: app.code() }, true)
  const headers = { cookie }
  const { token } = await world.does('signIn', { email, password }, { headers })
  const here = { token, headers }
  await world.cannot('updatePassword', { newPassword }, notRecent, here)
  await world.cannot('reauthenticate', { password }, needed, here)
  const oobCode = await world.resetCode(email)
  await world.cannot('confirmPasswordReset', { oobCode, newPassword }, needed, { headers })
  const browser = aBrowser(world)
  const device = /pergola_device=([^;]+)/.exec(cookie)![1]!
  browser.jars.set('localhost:3000', new Map([['pergola_device', device]]))
  expect(await browser.open('/auth/provider/google')).toMatchObject({ outcome: 'signedIn' })
  await unclaim(scene)
  await world.does('sendVerificationEmail', {}, { token })
  const claim = { oobCode: await world.mailedCode(email), password }
  await world.cannot('claimAccount', claim, needed, { headers })
})

test('a claim with the password takes place after the second step', async () => {
  const scene = await aCarefulPerson()
  const { world, ann, app } = scene
  await unclaim(scene)
  await ann.does('sendVerificationEmail', {})
  const { email, password } = ann
  const oobCode = await world.mailedCode(email)
  const first = waiting(await world.call('claimAccount', { oobCode, password }))
  expect((await world.services.store.users.find(ann.uid))!.claimed).toBe(false)
  const input = { resolver: first.resolver, code: app.code() }
  const { user } = await world.does('finishSignIn', input, { headers: first.headers })
  expect(user.claimed).toBe(true)
})

test.each<[string, (scene: Scene) => Promise<unknown>]>([
  [
    'a claim with a new password',
    async ({ world, ann }) => {
      const oobCode = await world.mailedCode(ann.email)
      await world.does('claimAccount', { oobCode, newPassword })
    },
  ],
  [
    'a provider sign-in that empties the account',
    async ({ world }) => {
      const page = await aBrowser(world).open('/auth/provider/google')
      expect(page.outcome).toBe('signedIn')
    },
  ],
  [
    '“I didn’t create this account”',
    async ({ world, ann }) => {
      const oobCode = await world.mailedCode(ann.email)
      await world.does('rejectVerification', { oobCode })
    },
  ],
])('%s ends the second step of whoever had the account', async (_, take) => {
  const scene = await aCarefulPerson()
  const { world, ann, app } = scene
  const { cookie } = await signIn(world, ann, { code: app.code() }, true)
  await unclaim(scene)
  await ann.does('sendVerificationEmail', {})
  await take(scene)
  for (const table of ['factors', 'recovery_codes'])
    expect((await world.pool.query(`select from ${table}`)).rowCount, table).toBe(0)
  const user = (await world.services.store.users.find(ann.uid))!
  expect(user.hasSecondStep).toBe(false)
  // With the second step on again, the former leave is none.
  const oobCode = await world.resetCode(ann.email)
  await world.does('confirmPasswordReset', { oobCode, newPassword })
  const owner = await world.signedIn({ ...ann, password: newPassword })
  await anAuthenticator(world, { ...owner, email: ann.email })
  await passFirst(world, { ...ann, password: newPassword }, cookie)
})

test.each<[string, (scene: Scene, reset: string) => Promise<unknown>]>([
  [
    'recovering the address',
    async ({ world, ann }) => {
      const oobCode = await codeOf(world, ann, 'was changed')
      await world.does('applyActionCode', { oobCode })
    },
  ],
  [
    '“it was never mine” at the new address',
    ({ world }, oobCode) =>
      world.does('confirmPasswordReset', { oobCode, newPassword, wasMine: false }),
  ],
])('%s keeps older factors, removes later ones and asks for an older one', async (_, undo) => {
  const scene = await aCarefulPerson()
  const { world, ann, app } = scene
  await world.move(ann, 'thief@example.com')
  world.pass(1000)
  await addApp(world, ann)
  await undo(scene, await world.resetCode('thief@example.com'))
  expect((await factorsOf(world, ann)).map(({ id }) => id)).toEqual([app.id])
  const oobCode = await codeOf(world, ann, 'Reset')
  const reset = { oobCode, newPassword }
  await world.cannot('confirmPasswordReset', reset, needed)
  await world.does('confirmPasswordReset', { ...reset, code: app.code() })
})

test('a fresh sign-in at a provider is recent only with a code after it', async () => {
  const { world, ann, app } = await aCarefulPerson()
  await world.link(ann)
  await world.pool.query(`update provider_links set subject = $1`, [atGoogle.sub])
  world.pass(limits.sessions.recentSignIn + 1)
  const again = { provider: 'google', intent: 'reauthenticate' } as const
  const { result, headers } = await ann.call('startProviderFlow', again)
  const browser = aBrowser(world)
  const [cookie] = headers.getSetCookie()
  const [name, value] = cookie!.split(';')[0]!.split('=')
  browser.jars.set('localhost:3000', new Map([[name!, value!]]))
  await ann.cannot('reauthenticate', { code: app.code() }, notRecent)
  expect((await browser.open(result!.url)).outcome).toBe('reauthenticated')
  await ann.cannot('removeFactor', { factorId: app.id }, notRecent)
  await ann.cannot('reauthenticate', { code: '000000' }, wrong)
  await ann.does('reauthenticate', { code: app.code() })
  await ann.does('removeFactor', { factorId: app.id })
})

test('a code that was used one way is refused at the others', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { password } = ann
  const oobCode = await world.resetCode(ann.email)
  const code = app.code()
  await signIn(world, ann, { code })
  await ann.cannot('reauthenticate', { password, code }, wrong)
  await world.cannot('confirmPasswordReset', { oobCode, newPassword, code }, wrong)
  const { enrollmentId, secret = '' } = await ann.does('startFactorEnrollment', { type: 'totp' })
  await ann.cannot('finishFactorEnrollment', { enrollmentId, code }, wrong)
  const first = codeAt(secret, world.services.now())
  await ann.does('finishFactorEnrollment', { enrollmentId, code: first })
  await ann.cannot('reauthenticate', { password, code: first }, wrong)
})

test('another person’s codes, apps and enrollments are refused', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const bob = await world.aPerson('bob')
  const { password } = ann
  const enrollment = await bob.does('startFactorEnrollment', { type: 'totp' })
  const code = codeAt(enrollment.secret!, world.services.now())
  const { enrollmentId } = enrollment
  await ann.cannot('finishFactorEnrollment', { enrollmentId, code }, 'auth/enrollment-expired')
  const { recoveryCodes, factor } = await bob.does('finishFactorEnrollment', { enrollmentId, code })
  world.pass(30_000)
  const his = codeAt(enrollment.secret!, world.services.now())
  await ann.cannot('reauthenticate', { password, code: his }, wrong)
  await ann.cannot('reauthenticate', { password, recoveryCode: recoveryCodes![0] }, wrong)
  await bob.cannot('removeFactor', { factorId: app.id }, 'auth/factor-not-found')
  await bob.cannot('renameFactor', { factorId: app.id, displayName: 'x' }, 'auth/factor-not-found')
  await ann.cannot('removeFactor', { factorId: factor.id }, 'auth/factor-not-found')
  const { resolver, headers } = await passFirst(world, ann)
  await world.cannot('finishSignIn', { resolver, code: his }, wrong, { headers })
  const waitsForBob = await passFirst(world, bob)
  const mixed = { resolver: waitsForBob.resolver, code: app.code() }
  await world.cannot('finishSignIn', mixed, wrong, { headers: waitsForBob.headers })
})

test('of a hundred codes at once, only as many as the limit are judged', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { tries } = rateLimits.wrongSecondStepOfStrangers
  const waits = []
  for (let index = 0; index < 20; index++) waits.push(await passFirst(world, ann))
  const answers = await Promise.all(
    waits.flatMap(({ resolver, headers }) =>
      ['000000', '111111', '222222', '333333', '444444'].map((code) =>
        world.call('finishSignIn', { resolver, code }, { headers }),
      ),
    ),
  )
  const { [wrong]: judged, ...others } = countOutcomes(answers)
  expect(judged).toBe(tries)
  expect(others).toEqual({ 'auth/too-many-requests': 100 - tries })
  expect(app.recoveryCodes).toHaveLength(10)
})

test('a stolen password opens no account, turns nothing off and keeps its owner out of no reset', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const thief = await passFirst(world, ann)
  await world.cannot('finishSignIn', { resolver: thief.resolver }, 'invalidInput', thief)
  for (let index = 0; index < rateLimits.wrongSecondStepOfStrangers.tries; index++) {
    const { resolver, headers } = await passFirst(world, ann)
    await world.cannot('finishSignIn', { resolver, code: '000000' }, wrong, { headers })
  }
  const { resolver, headers } = await passFirst(world, ann)
  const right = { resolver, code: app.code() }
  await world.cannot('finishSignIn', right, 'auth/too-many-requests', { headers })
  const oobCode = await world.resetCode(ann.email)
  const reset = { oobCode, newPassword, code: app.code() }
  await world.does('confirmPasswordReset', reset)
  await signIn(world, { ...ann, password: newPassword }, { code: app.code() })
})

test('a stolen resolver opens nothing, not even with a right code', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { resolver } = await passFirst(world, ann)
  const bob = await world.aPerson('bob')
  await anAuthenticator(world, bob)
  const own = await passFirst(world, bob)
  for (const headers of [{ cookie: '' }, { cookie: 'pergola_waiting=' }, own.headers])
    await world.cannot('finishSignIn', { resolver, code: app.code() }, 'auth/resolver-expired', {
      headers,
    })
})

test('a stolen session changes nothing of the second step, and no sign-in becomes recent by it', async () => {
  const { world, ann, app } = await aCarefulPerson()
  world.pass(limits.sessions.recentSignIn + 1)
  const { token } = ann
  await ann.cannot('startFactorEnrollment', { type: 'totp' }, notRecent)
  await ann.cannot('removeFactor', { factorId: app.id }, notRecent)
  await ann.cannot('renameFactor', { factorId: app.id, displayName: 'x' }, notRecent)
  await ann.cannot('renewRecoveryCodes', {}, notRecent)
  await ann.cannot('updatePassword', { newPassword }, notRecent)
  await ann.cannot('updateEmail', { newEmail: 'thief@example.com' }, notRecent)
  await ann.cannot('deleteAccount', { confirmationId: ann.uid }, notRecent)
  await ann.cannot('startProviderFlow', { provider: 'google', intent: 'link' }, notRecent)
  await ann.cannot('reauthenticate', { code: app.code() }, notRecent)
  await ann.cannot('reauthenticate', { recoveryCode: app.recoveryCodes[0] }, notRecent)
  const told = JSON.stringify(await world.does('listFactors', {}, { token }))
  expect(told).not.toContain(app.secret)
})

test('a stolen session with the password begins no count of wrong codes anew', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const guess = async (cookie: string) => {
    const { resolver, headers } = await passFirst(world, ann, cookie)
    return world.refusal('finishSignIn', { resolver, code: '000000' }, { headers })
  }
  const endOthers = async (cookie: string) => {
    const { headers } = await ann.call('revokeOtherSessions', {}, { cookie })
    return cookieHeader(headers.getSetCookie())
  }
  const { tries } = rateLimits.wrongSecondStepOfStrangers
  for (let index = 0; index < tries; index++) expect(await guess('')).toBe(wrong)
  const kept = await endOthers(app.device)
  expect(await guess('')).toBe('auth/too-many-requests')
  // The owner's device stays known. The thief's does not become so, nor has it tries of its own.
  expect(await guess(kept)).toBe(wrong)
  expect(await guess(await endOthers(''))).toBe('auth/too-many-requests')
})

test('a stolen mailbox opens no account whose app is older than the links in it', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const mailed = await codeOf(world, ann, 'was added')
  world.pass(limits.actionCodes.secureAccount)
  await world.cannot('applyActionCode', { oobCode: mailed }, 'auth/expired-action-code')
  const oobCode = await world.resetCode(ann.email)
  await world.cannot('confirmPasswordReset', { oobCode, newPassword }, needed)
  const notMine = { oobCode, newPassword, wasMine: false }
  await world.cannot('confirmPasswordReset', notMine, needed)
  // A mail about the use of a recovery code, with a link that locks the account.
  await signIn(world, ann, { recoveryCode: app.recoveryCodes[0] })
  await world.does('applyActionCode', { oobCode: await codeOf(world, ann, 'recovery code') })
  const reset = { oobCode: await world.mailedCode(ann.email), newPassword }
  await world.cannot('confirmPasswordReset', reset, needed)
  expect((await factorsOf(world, ann)).map(({ id }) => id)).toEqual([app.id])
})

test('a stolen device cookie signs nobody in, for no other account and for no longer', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { cookie } = await signIn(world, ann, { code: app.code() }, true)
  const device = /pergola_device=[^;]+/.exec(cookie)![0]
  await world.cannot('refreshSession', {}, 'notSignedIn', { headers: { cookie: device } })
  const bob = await world.aPerson('bob')
  await anAuthenticator(world, bob)
  await passFirst(world, bob, device)
  world.pass(limits.factors.browserRemembered)
  const [end] = /\d{10}(?=~)/.exec(device)!
  await passFirst(world, ann, device.replace(end, String(Number(end) + 999_999)))
})

test('a backup file or a database row has no secret, code, resolver or cookie in it', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { resolver, headers } = await passFirst(world, ann)
  const { secret = '' } = await ann.does('startFactorEnrollment', { type: 'totp' })
  await world.untilWorkedOff()
  const { rows: tables } = await world.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  let all = ''
  for (const { name } of tables) {
    const { rows } = await world.pool.query<{ row: string }>(
      `select to_json(t)::text from ${name} t`,
    )
    all += JSON.stringify(rows)
  }
  expect(all).toContain(app.id)
  const codes = app.recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])
  const browser = headers.cookie.split('=')[1]!
  for (const hidden of [app.secret, secret, ...codes, resolver, browser])
    expect(all).not.toContain(hidden)
})

test('without the key that sealed them apps are of no use, and recovery codes still are', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { cookie } = await signIn(world, ann, { code: app.code() }, true)
  await world.stop()
  await world.pool.query(`delete from installation where name = 'secret key fingerprint'`)
  const { lines, log } = aLog('error')
  const later = await openWorld(world.connection, { SECRET_KEY: newKey() }, log)
  later.pass(60 * 60_000)
  const { resolver, headers } = await passFirst(later, ann, cookie)
  const code = codeAt(app.secret, later.services.now())
  await later.cannot('finishSignIn', { resolver, code }, wrong, { headers })
  expect(lines.join()).toContain('the SECRET_KEY that sealed a factor is not there any more')
  const recoveryCode = app.recoveryCodes[0]!
  const { token } = await later.does('finishSignIn', { resolver, recoveryCode }, { headers })
  await later.does('removeFactor', { factorId: app.id }, { token })
  await later.does('signIn', { email: ann.email, password: ann.password })
})

test('a thief who adds an app and changes the password and address keeps no owner out', async () => {
  const [world, ann] = await aWorldWith('ann')
  const thief = await world.signedIn(ann)
  await addApp(world, thief)
  const added = await codeOf(world, ann, 'was added')
  world.pass(1000)
  await thief.does('updatePassword', { newPassword: 'the thief’s own' })
  const changed = await codeOf(world, ann, 'password')
  await world.move(thief, 'thief@example.com')
  world.pass(1000)
  // The later mail keeps the thief's app, and the mail about the app still removes it.
  await world.does('applyActionCode', { oobCode: changed })
  const oobCode = await codeOf(world, ann, 'Reset')
  await world.cannot('confirmPasswordReset', { oobCode, newPassword }, needed)
  await world.does('applyActionCode', { oobCode: added })
  expect(await factorsOf(world, ann)).toEqual([])
  const last = { oobCode: await codeOf(world, ann, 'Reset'), newPassword }
  await world.does('confirmPasswordReset', last)
  await world.does('signIn', { email: ann.email, password: newPassword })
})

test('servers on one database share waiting sign-ins, used codes, tries and leave', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const other = await openWorld(world.connection, google({ url: 'http://localhost:1' }))
  other.pass(10 * 30_000)
  world.pass(10 * 30_000)
  const { resolver, headers } = await passFirst(world, ann)
  const code = codeAt(app.secret, world.services.now())
  await other.does('finishSignIn', { resolver, code }, { headers })
  const second = await passFirst(other, ann)
  const again = { resolver: second.resolver, code }
  await world.cannot('finishSignIn', again, wrong, { headers: second.headers })
  const recoveryCode = app.recoveryCodes[0]!
  const { cookie } = await signIn(world, ann, { recoveryCode }, true)
  const { email, password } = ann
  await other.does('signIn', { email, password }, { headers: { cookie } })
  const { resolver: third, headers: browser } = await passFirst(other, ann)
  const used = { resolver: third, recoveryCode }
  await other.cannot('finishSignIn', used, wrong, { headers: browser })
})

test('a deleted account leaves no row of its second step', async () => {
  const { world, ann } = await aCarefulPerson()
  await passFirst(world, ann)
  await ann.does('startFactorEnrollment', { type: 'totp' })
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  for (const table of ['factors', 'recovery_codes', 'resolvers', 'enrollments'])
    expect((await world.pool.query(`select from ${table}`)).rowCount, table).toBe(0)
})

test('an export names the apps of its person, and has no secret or hash', async () => {
  const { world, ann, app } = await aCarefulPerson()
  const { data } = await ann.does('exportUser', {})
  expect(data['factors']).toMatchObject([{ id: app.id, display_name: 'Authenticator app' }])
  const text = JSON.stringify(data)
  const { rows } = await world.pool.query<{ hash: string }>('select hash from recovery_codes')
  for (const hidden of [app.secret, 'sealed:', rows[0]!.hash]) expect(text).not.toContain(hidden)
})
