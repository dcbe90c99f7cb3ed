// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { addPasskey, aPasskey } from '../../tests/a-passkey.ts'
import { anAuthenticator, waiting } from '../../tests/an-authenticator.ts'
import { findPasskeyPlace } from '../core/passkey-place.ts'
import {
  aLog,
  aWorld,
  aWorldWith,
  cookieHeader,
  countOutcomes,
  inParallel,
  openWorld,
  reasonOf,
  type Person,
  type World,
} from '../../tests/world.ts'

const needed = 'auth/multi-factor-auth-required'
const notAccepted = 'auth/passkey-not-accepted'
const newPassword = 'brand new horse'

type Options = { challenge: string; allowCredentials?: { id: string }[]; rpId?: string }

/** Begins a sign-in with whichever passkey, in a browser of its own. */
async function begin(world: World, cookie = '') {
  const answer = await world.call('startPasskeySignIn', {}, { headers: { cookie } })
  const cookies = [cookie, cookieHeader(answer.headers.getSetCookie())].filter(Boolean).join('; ')
  const { resolver, options } = answer.result!
  return { resolver, options: options as Options, headers: { cookie: cookies } }
}

async function passFirst(world: World, { email, password }: Person) {
  const answer = await world.call('signIn', { email, password })
  expect(reasonOf(answer)).toBe(needed)
  return { ...waiting(answer), options: answer.error!.details!['options'] as Options }
}

test.each(['ES256', 'RS256', 'EdDSA'] as const)(
  'a passkey with %s signs in alone, synced or of one device',
  async (algorithm) => {
    const [world, ann] = await aWorldWith('ann')
    for (const synced of [true, false]) {
      const passkey = await addPasskey(ann, { algorithm, synced })
      expect(passkey.factor).toMatchObject({ type: 'passkey', is_synced: synced })
      const { resolver, options, headers } = await begin(world)
      expect(options.allowCredentials).toEqual([])
      const credential = passkey.get(options)
      const { user } = await world.does('finishSignIn', { resolver, credential }, { headers })
      expect(user.uid).toBe(ann.uid)
    }
  },
)

test('a passkey does not turn the second step on, and passes one that is on', async () => {
  const [world, ann] = await aWorldWith('ann')
  const passkey = await addPasskey(ann, { verifies: false })
  expect((await world.signIn(ann)).status).toBe(200)
  await anAuthenticator(world, ann)
  const { resolver, types, options, headers } = await passFirst(world, ann)
  expect(types).toEqual(['totp', 'passkey'])
  expect(options.allowCredentials).toEqual([
    expect.objectContaining({ id: passkey.id, transports: ['internal', 'hybrid'] }),
  ])
  const credential = passkey.get(options)
  await world.does('finishSignIn', { resolver, credential }, { headers })
  const alone = await begin(world)
  const input = { resolver: alone.resolver, credential: passkey.get(alone.options) }
  expect(await world.refusal('finishSignIn', input, alone)).toBe(notAccepted)
})

test('a passkey alone that has verified its person is enough, also with a second step', async () => {
  const [world, ann] = await aWorldWith('ann')
  const passkey = await addPasskey(ann)
  await anAuthenticator(world, ann)
  const { resolver, options, headers } = await begin(world)
  const credential = passkey.get(options)
  const { token } = await world.does('finishSignIn', { resolver, credential }, { headers })
  // The sign-in is recent with both factors.
  await world.does('renewRecoveryCodes', {}, { token })
})

test('each answer of a passkey that does not hold is refused', async () => {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  const passkey = await addPasskey(ann, { counter: 5 })
  const other = await addPasskey(bob)
  await anAuthenticator(world, ann)
  const refused = async (
    answer: (options: Options) => ReturnType<typeof passkey.get>,
    reason: string = notAccepted,
  ) => {
    const { resolver, options, headers } = await begin(world)
    const input = { resolver, credential: answer(options) }
    expect(await world.refusal('finishSignIn', input, { headers })).toBe(reason)
  }
  const former = await begin(world)
  const once = passkey.get(former.options)
  await world.does('finishSignIn', { resolver: former.resolver, credential: once }, former)
  const again = { resolver: former.resolver, credential: once }
  expect(await world.refusal('finishSignIn', again, former)).toBe('auth/resolver-expired')
  await refused(() => once)
  await refused((options) => {
    passkey.state.counter = 5
    return passkey.get(options)
  })
  passkey.state.counter = 50
  await refused((options) => passkey.get(options, 'webauthn.create'))
  await refused((options) => {
    const answer = passkey.get(options)
    const signature = other.get(options).response as unknown as { signature: string }
    return { ...answer, response: { ...answer.response, signature: signature.signature } as never }
  })
  await refused((options) => ({ ...passkey.get(options), response: { clientDataJSON: 'x' } }))
  await refused((options) => aPasskey().get(options), 'auth/passkey-not-found')
  for (const change of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
    const kept = { ...passkey.state }
    Object.assign(passkey.state, change)
    await refused((options) => passkey.get(options))
    Object.assign(passkey.state, kept)
  }
  // Another person's passkey is no second step of Ann's.
  const { resolver, options, headers } = await passFirst(world, ann)
  const foreign = { resolver, credential: other.get(options) }
  expect(await world.refusal('finishSignIn', foreign, { headers })).toBe(notAccepted)
  const right = await begin(world)
  const input = { resolver: right.resolver, credential: passkey.get(right.options) }
  await world.does('finishSignIn', input, right)
})

test('a count that stands still is no error for a synced passkey, or where nothing counts', async () => {
  const [world, ann] = await aWorldWith('ann')
  for (const made of [{ synced: true, counter: 7 }, { synced: false }]) {
    const passkey = await addPasskey(ann, made)
    for (const counter of [passkey.state.counter, passkey.state.counter, 0]) {
      passkey.state.counter = counter
      const { resolver, options, headers } = await begin(world)
      const credential = passkey.get(options)
      await world.does('finishSignIn', { resolver, credential }, { headers })
    }
  }
})

test('of two uses of one answer at once, one succeeds', async () => {
  const [world, ann] = await aWorldWith('ann')
  const passkey = await addPasskey(ann)
  const { resolver, options, headers } = await begin(world)
  const credential = passkey.get(options)
  const answers = await inParallel(3, () =>
    world.call('finishSignIn', { resolver, credential }, { headers }),
  )
  expect(countOutcomes(answers)).toEqual({ done: 1, 'auth/resolver-expired': 2 })

  const again = await begin(world)
  const input = { credential: passkey.get(again.options) }
  const repeated = await inParallel(3, () => ann.call('reauthenticate', input, again.headers))
  expect(countOutcomes(repeated)).toEqual({ done: 1, 'auth/resolver-expired': 2 })
})

test('a passkey signs in again in a session, alone or after the password', async () => {
  const [world, ann] = await aWorldWith('ann')
  const passkey = await addPasskey(ann)
  const touched = await addPasskey(ann, { verifies: false })
  const app = await anAuthenticator(world, ann)
  const old = async () => {
    world.pass(limits.sessions.recentSignIn + 1)
    await ann.cannot('updatePassword', { newPassword: ann.password }, 'auth/requires-recent-login')
  }
  const again = async (by: typeof passkey, password?: string) => {
    const { options, headers } = await begin(world)
    const input = { credential: by.get(options), ...(password && { password }) }
    return reasonOf(await ann.call('reauthenticate', input, headers))
  }
  await old()
  expect(await again(touched)).toBe(notAccepted)
  expect(await again(touched, ann.password)).toBeUndefined()
  await ann.does('updatePassword', { newPassword: ann.password })
  await old()
  expect(await again(passkey)).toBeUndefined()
  await ann.does('removeFactor', { factorId: app.id })

  const [bob] = await world.somePeople('bob')
  const foreign = await addPasskey(bob)
  expect(await again(foreign)).toBe(notAccepted)
})

test('a reset takes a passkey for the second step', async () => {
  const [world, ann] = await aWorldWith('ann')
  const passkey = await addPasskey(ann)
  await anAuthenticator(world, ann)
  const oobCode = await world.resetCode(ann.email)
  const first = await world.call('confirmPasswordReset', { oobCode, newPassword })
  expect(reasonOf(first)).toBe(needed)
  const { resolver, headers } = waiting(first as never)
  const options = first.error!.details!['options'] as Options
  const input = { oobCode, newPassword, resolver, credential: passkey.get(options) }
  expect(await world.refusal('confirmPasswordReset', input)).toBe('auth/resolver-expired')
  // The mailbox alone does not sign in by what the refusal gave.
  const code = { resolver, code: '000000' }
  expect(await world.refusal('finishSignIn', code, { headers })).toBe('invalidInput')
  await world.does('confirmPasswordReset', input, { headers })
})

test('a passkey that somebody has already is refused, as is one that answers another question', async () => {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  const passkey = await addPasskey(ann)
  const { enrollmentId, options } = await bob.does('startFactorEnrollment', { type: 'passkey' })
  const finish = (credential?: ReturnType<typeof passkey.create>) =>
    bob.refusal('finishFactorEnrollment', { enrollmentId, ...(credential && { credential }) })
  expect(await finish(passkey.create(options!))).toBe('auth/passkey-already-added')
  expect(await finish(aPasskey().create({ challenge: 'x' }))).toBe(notAccepted)
  expect(await finish()).toBe('invalidInput')
  expect(await finish(aPasskey().create(options!))).toBeUndefined()
  const asked = (await ann.does('startFactorEnrollment', { type: 'passkey' })).options!
  expect(asked.excludeCredentials).toEqual([expect.objectContaining({ id: passkey.id })])
  expect((await world.mails(bob.email))[0]!.subject).toBe(
    'Passkey was added to your Pergola account',
  )
})

test('passkeys are offered where browsers make them', async () => {
  for (const [url, isOffered] of [
    ['http://localhost:3000', true],
    ['https://projects.example.com', true],
    ['http://projects.example.com', false],
    ['https://192.0.2.7', false],
    ['https://[2001:db8::7]', false],
  ] as const) {
    const world = await aWorld({ PUBLIC_URL: url, ALLOW_SANDBOX: '1' })
    const reason = await world.refusal('startPasskeySignIn', {})
    expect(reason, url).toBe(isOffered ? undefined : 'auth/factor-not-offered')
    await world.stop()
  }
})

test('PASSKEY_RP_ID is the host, a domain above it, or a former host that has passkeys', async () => {
  const { lines, log } = aLog('warn')
  const [world, ann] = await aWorldWith('ann')
  const { store } = world.services
  const placeAt = (host: string, rpId?: string) =>
    findPasskeyPlace({ publicUrl: `https://${host}`, rpId }, { store, log })
  for (const rpId of ['app.example.com', 'example.com'])
    expect(await placeAt('app.example.com', rpId)).toMatchObject({ rpId })
  for (const rpId of ['other.com', 'com', 'p.example.com', 'xample.com'])
    await expect(placeAt('app.example.com', rpId)).rejects.toThrow('or a domain above it')
  await addPasskey(ann)
  await world.pool.query("update factors set rp_id = 'example.com'")
  expect(await placeAt('new.test', 'example.com')).toEqual({
    rpId: 'example.com',
    origin: 'https://new.test',
  })
  expect(lines).toEqual([])
  await placeAt('new.test')
  expect(lines.join('')).toContain('some passkeys were made for another domain')
  const environment = { PUBLIC_URL: 'https://app.example.com', PASSKEY_RP_ID: 'other.com' }
  const open = openWorld(world.connection, { ...environment, ALLOW_SANDBOX: '1' })
  await expect(open).rejects.toThrow('PASSKEY_RP_ID=other.com is refused')
})
