// @module-tag slow
import { expect, test } from 'vitest'
import { anAuthenticator, codeAt, waiting } from '../../tests/an-authenticator.ts'
import { untilSomebodyWaits } from '../../tests/database.ts'
import {
  aWorld,
  aWorldWith,
  countOutcomes,
  reasonOf,
  type Person,
  type World,
} from '../../tests/world.ts'
import { inTransaction } from '../sql/database.ts'
import { openStore } from '../store/store.ts'

type Stage = Awaited<ReturnType<typeof aWorld>>

const rounds = Number(process.env['RACE_ROUNDS'] ?? 6)
const wrong = 'auth/invalid-verification-code'
const newPassword = 'brand new horse'

/** A world, and in each round another person in it. */
async function inRounds(act: (world: Stage, person: Person) => Promise<void>) {
  const world = await aWorld()
  for (let round = 0; round < rounds; round++) {
    // All of them come from one network, which gets so many reset mails an hour.
    await world.pool.query('delete from rate_limits')
    await act(world, await world.aPerson(`p${round}`))
  }
}

async function passFirst(world: World, { email, password }: Person) {
  return waiting(await world.call('signIn', { email, password }))
}

/** An app that is set up but for its first code. */
async function anEnrollment(world: World, person: Person) {
  const { enrollmentId, secret = '' } = await person.does('startFactorEnrollment', { type: 'totp' })
  return { enrollmentId, code: codeAt(secret, world.services.now()) }
}

/** Starts calls while the person's row is locked, changes it, and lets them go on in their order. */
async function whileLocked<Answer>(
  world: Stage,
  { uid }: Person,
  starts: (() => Promise<Answer>)[],
  change: (store: ReturnType<typeof openStore>) => Promise<unknown> = async () => undefined,
) {
  const { begun } = await inTransaction(world.pool, async (tx) => {
    const store = openStore(tx)
    await store.users.lock(uid)
    const begun: Promise<Answer>[] = []
    for (const start of starts) {
      begun.push(start())
      await untilSomebodyWaits(world.pool, '', begun.length)
    }
    await change(store)
    return { begun }
  })
  return Promise.all(begun)
}

test('of two devices that finish one enrollment, one adds the app', () =>
  inRounds(async (world, ann) => {
    const other = await world.signedIn(ann)
    const enrollment = await anEnrollment(world, ann)
    const finished = await Promise.all([
      ann.call('finishFactorEnrollment', enrollment),
      other.call('finishFactorEnrollment', enrollment),
      ann.call('finishFactorEnrollment', enrollment),
    ])
    const { done, ...others } = countOutcomes(finished)
    expect(done).toBe(1)
    for (const reason of Object.keys(others))
      expect(['auth/enrollment-expired', 'auth/requires-recent-login']).toContain(reason)
    expect((await ann.does('listFactors', {})).factors).toHaveLength(1)
  }))

test('of two sessions that turn the second step on at once, the later has not passed it', async () => {
  const [world, ann] = await aWorldWith('ann')
  const thief = await world.signedIn(ann)
  const [own, others] = [await anEnrollment(world, ann), await anEnrollment(world, thief)]
  const reasons = await whileLocked(world, ann, [
    () => ann.refusal('finishFactorEnrollment', own),
    () => thief.refusal('finishFactorEnrollment', others),
  ])
  expect(reasons).toEqual([undefined, 'auth/requires-recent-login'])
})

test('a session gets no recovery codes while another one turns the second step on', async () => {
  const [world, ann] = await aWorldWith('ann')
  const thief = await world.signedIn(ann)
  const own = await anEnrollment(world, ann)
  const reasons = await whileLocked(world, ann, [
    () => ann.refusal('finishFactorEnrollment', own),
    () => thief.refusal('renewRecoveryCodes', {}),
  ])
  expect(reasons).toEqual([undefined, 'auth/requires-recent-login'])
})

const thefts: [string, (thief: Person) => Promise<string | undefined>][] = [
  ['a new address', (thief) => thief.refusal('updateEmail', { newEmail: 'thief@example.com' })],
  ['a new password', (thief) => thief.refusal('updatePassword', { newPassword })],
  ['a deletion', (thief) => thief.refusal('deleteAccount', { confirmationId: thief.uid })],
]
test.each(thefts)('%s waits for a step that is turned on, and then needs it', async (_, steal) => {
  const [world, ann] = await aWorldWith('ann')
  const thief = await world.signedIn(ann)
  const own = await anEnrollment(world, ann)
  const reasons = await whileLocked(world, ann, [
    () => ann.refusal('finishFactorEnrollment', own),
    () => steal(thief),
  ])
  expect(reasons).toEqual([undefined, 'auth/requires-recent-login'])
})

test('a second step gives no session once the credentials of the first one have changed', async () => {
  const [world, ann] = await aWorldWith('ann')
  const app = await anAuthenticator(world, ann)
  const { resolver, headers } = await passFirst(world, ann)
  const reasons = await whileLocked(
    world,
    ann,
    [() => world.refusal('finishSignIn', { resolver, code: app.code() }, { headers })],
    ({ users }) => users.renewCredentials(ann.uid),
  )
  expect(reasons).toEqual(['auth/resolver-expired'])
})

test('no sign-in gets a session without the step while the step is turned on', () =>
  inRounds(async (world, ann) => {
    const enrollment = await anEnrollment(world, ann)
    const [finished, ...signedIn] = await Promise.all([
      ann.call('finishFactorEnrollment', enrollment),
      world.signIn(ann),
      world.signIn(ann),
      world.signIn(ann),
    ])
    expect(finished.status).toBe(200)
    for (const reason of Object.keys(countOutcomes(signedIn)))
      expect(['done', 'auth/invalid-credential', 'auth/multi-factor-auth-required']).toContain(
        reason,
      )
    // A session that came first has not passed the step, so it changes nothing.
    for (const { result } of signedIn)
      if (result)
        await world.cannot('renewRecoveryCodes', {}, 'auth/requires-recent-login', {
          token: result.token,
        })
    expect(reasonOf(await world.signIn(ann))).toBe('auth/multi-factor-auth-required')
  }))

test('a code passes a sign-in or removes its app first: nobody fails otherwise', () =>
  inRounds(async (world, ann) => {
    const app = await anAuthenticator(world, ann)
    const { resolver, headers } = await passFirst(world, ann)
    const input = { resolver, code: app.code() }
    const [removed, signedIn] = await Promise.all([
      ann.call('removeFactor', { factorId: app.id }),
      world.call('finishSignIn', input, { headers }),
    ])
    expect(removed.status).toBe(200)
    expect([undefined, 'auth/resolver-expired', 'auth/invalid-credential']).toContain(
      reasonOf(signedIn),
    )
    expect((await world.signIn(ann)).status).toBe(200)
  }))

test('of several sign-ins and resets with one recovery code, one succeeds', () =>
  inRounds(async (world, ann) => {
    const { recoveryCodes } = await anAuthenticator(world, ann)
    const step = { recoveryCode: recoveryCodes[0]! }
    const waits = [await passFirst(world, ann), await passFirst(world, ann)]
    const oobCode = await world.resetCode(ann.email)
    const answers = await Promise.all([
      ...waits.map(({ resolver, headers }) =>
        world.call('finishSignIn', { resolver, ...step }, { headers }),
      ),
      world.call('confirmPasswordReset', { oobCode, newPassword, ...step }),
    ])
    const outcomes = countOutcomes(answers)
    // A reset that comes between a step and its session ends the sign-in, whose code is used up.
    const ended =
      (outcomes['auth/resolver-expired'] ?? 0) + (outcomes['auth/invalid-credential'] ?? 0)
    expect((outcomes['done'] ?? 0) + (outcomes[wrong] ?? 0) + ended).toBe(3)
    expect(outcomes['done']).toBe(1)
    expect(
      await world.pool.query('select from recovery_codes where user_id = $1', [ann.uid]),
    ).toMatchObject({ rowCount: 9 })
  }))

test('of two resets with one code of the app, one succeeds', () =>
  inRounds(async (world, ann) => {
    const app = await anAuthenticator(world, ann)
    const codes = [await world.resetCode(ann.email)]
    world.pass(1000)
    codes.push(await world.resetCode(ann.email))
    const code = app.code()
    const resets = await Promise.all(
      codes.map((oobCode) => world.call('confirmPasswordReset', { oobCode, newPassword, code })),
    )
    const { done, ...others } = countOutcomes(resets)
    expect(done).toBe(1)
    for (const reason of Object.keys(others))
      expect([wrong, 'auth/invalid-action-code']).toContain(reason)
  }))

test('a fresh sign-in and the removal of its app at once leave the account as one of them says', () =>
  inRounds(async (world, ann) => {
    const app = await anAuthenticator(world, ann)
    const { password } = ann
    const [again, removed] = await Promise.all([
      ann.call('reauthenticate', { password, code: app.code() }),
      ann.call('removeFactor', { factorId: app.id }),
    ])
    expect(removed.status).toBe(200)
    expect([undefined, wrong]).toContain(reasonOf(again))
    await ann.does('updatePassword', { newPassword: password })
  }))

test('a wrong code while its account is deleted is refused', () =>
  inRounds(async (world, ann) => {
    await anAuthenticator(world, ann)
    const { resolver, headers } = await passFirst(world, ann)
    const [deleted, signedIn] = await Promise.all([
      ann.call('deleteAccount', { confirmationId: ann.uid }),
      world.call('finishSignIn', { resolver, code: '000000' }, { headers }),
    ])
    expect(deleted.status).toBe(200)
    expect([wrong, 'auth/resolver-expired', 'userNotFound', 'sessionEnded']).toContain(
      reasonOf(signedIn),
    )
  }))
