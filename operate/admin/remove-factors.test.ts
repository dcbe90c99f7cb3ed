// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { anAuthenticator, codeAt, waiting } from '../../tests/an-authenticator.ts'
import { adminOf } from '../../tests/an-operator.ts'
import { holdMails } from '../../tests/jobs.ts'
import { aWorldWith, reasonOf, type Person, type World } from '../../tests/world.ts'

const { keepFactors, recoverEmail } = limits.actionCodes
const planned = 'Two-step sign-in for your Pergola account will be turned off'
const needed = 'auth/multi-factor-auth-required'
const formerAddress = 'ann@example.com'

/** Ann, who has lost the app and the codes of her second step. She had another address before. */
async function aPersonWhoLostAll() {
  const [world, ann] = await aWorldWith('ann')
  const app = await anAuthenticator(world, ann)
  await world.move(ann, 'anna@example.com')
  ann.email = 'anna@example.com'
  return { world, ann, app, ...adminOf(world) }
}

/** The codes of the links that stop a removal, one for each mail, the newest first. */
async function stopCodes({ mails, untilWorkedOff }: World, email: string) {
  await untilWorkedOff()
  return (await mails(email))
    .filter(({ subject }) => subject === planned)
    .map(({ links }) => new URL(links[0]!).searchParams.get('oobCode')!)
}

async function passTime(world: World, time = keepFactors) {
  world.pass(time)
  await world.services.jobs.add('removeExpired', {})
  await world.untilWorkedOff()
}

const signInOf = async (world: World, person: Person) => reasonOf(await world.signIn(person))

const kindsOf = async (world: World, { uid }: Person) => {
  const { activity } = await world.services.store.activity.listOf(uid, { page: 1, pageSize: 10 })
  return activity.map(({ kind }) => kind)
}

test('a day after remove-factors the first step is enough, and the person is told twice', async () => {
  const { world, ann, run, json, acts } = await aPersonWhoLostAll()
  expect(await run('remove-factors', ann.email)).toMatch(
    /^Two-step sign-in of anna@example\.com is turned off after .+ UTC, .+ mailed to anna@example\.com, ann@example\.com\.$/,
  )
  expect(await acts()).toMatchObject([{ kind: 'factorRemovalPlanned', by: 'maria' }])
  await passTime(world, keepFactors - 60_000)
  expect(await signInOf(world, ann)).toBe(needed)
  expect(await json('person', ann.email)).toMatchObject({
    secondStep: true,
    factors: [{ type: 'totp', name: 'Authenticator app' }],
    recoveryCodes: 10,
    factorsRemoved: expect.any(String),
  })
  await passTime(world, 60_000)
  const { token } = (await world.signIn(ann)).result!
  expect(await world.does('listFactors', {}, { token })).toEqual({
    factors: [],
    recovery_codes_left: 0,
  })
  expect(await json('person', ann.email)).toMatchObject({
    secondStep: false,
    factors: [],
    factorsRemoved: null,
  })
  const subjects = (await world.mails(ann.email)).map(({ subject }) => subject)
  expect(subjects).toContain(planned)
  expect(subjects).toContain('Authenticator app was removed from your Pergola account')
  expect(await kindsOf(world, ann)).toEqual(
    expect.arrayContaining(['factorRemoved', 'factorRemovalPlanned']),
  )
})

test('remove-factors changes nothing while one waits, and for somebody without factors', async () => {
  const { world, ann, run, acts } = await aPersonWhoLostAll()
  const bob = await world.aPerson('bob')
  expect(await run('remove-factors', bob.email)).toBe('bob@example.com has no two-step sign-in.')
  await run('remove-factors', ann.email)
  expect(await run('remove-factors', ann.email)).toMatch(/is turned off after .+ UTC already\.$/)
  expect(await stopCodes(world, ann.email)).toHaveLength(1)
  expect(await acts()).toHaveLength(1)
})

test.each([formerAddress, 'anna@example.com'])(
  'the link to %s stops a removal',
  async (address) => {
    const { world, ann, run, json } = await aPersonWhoLostAll()
    await run('remove-factors', ann.email)
    const [former] = await stopCodes(world, formerAddress)
    const [present] = await stopCodes(world, ann.email)
    const [used, other] = address === formerAddress ? [former, present] : [present, former]
    expect(await world.does('checkActionCode', { oobCode: used! })).toEqual({
      mode: 'keepFactors',
      email: address,
    })
    await world.does('applyActionCode', { oobCode: used! })
    for (const oobCode of [used!, other!])
      await world.cannot('applyActionCode', { oobCode }, 'auth/invalid-action-code')
    expect(await json('person', ann.email)).toMatchObject({ factorsRemoved: null })
    expect((await kindsOf(world, ann))[0]).toBe('factorRemovalStopped')
    await passTime(world)
    expect(await signInOf(world, ann)).toBe(needed)
  },
)

test('an address that the account left more than a month ago is not told', async () => {
  const { world, ann, run } = await aPersonWhoLostAll()
  await world.pool.query(`update action_codes set created_at = created_at - $1 * interval '1 ms'`, [
    recoverEmail,
  ])
  await run('remove-factors', ann.email)
  expect(await stopCodes(world, formerAddress)).toEqual([])
  expect(await stopCodes(world, ann.email)).toHaveLength(1)
})

test('a link works until the time is over, even if no server runs then', async () => {
  const { world, ann, run } = await aPersonWhoLostAll()
  await run('remove-factors', ann.email)
  const [oobCode] = await stopCodes(world, ann.email)
  world.pass(keepFactors)
  await world.cannot('applyActionCode', { oobCode: oobCode! }, 'auth/expired-action-code')
  await passTime(world, 3 * keepFactors)
  await world.cannot('applyActionCode', { oobCode: oobCode! }, 'auth/invalid-action-code')
  expect(await signInOf(world, ann)).toBeUndefined()
})

test('a factor that was added after the plan stays, and former recovery codes go', async () => {
  const { world, ann, run, json } = await aPersonWhoLostAll()
  await run('remove-factors', ann.email)
  world.pass(1000)
  const { enrollmentId, secret = '' } = await ann.does('startFactorEnrollment', { type: 'totp' })
  const code = codeAt(secret, world.services.now())
  const { factor } = await ann.does('finishFactorEnrollment', { enrollmentId, code })
  await passTime(world)
  expect(await json('person', ann.email)).toMatchObject({
    factors: [{ id: factor.id }],
    recoveryCodes: 0,
    factorsRemoved: null,
  })
  expect(await signInOf(world, ann)).toBe(needed)
})

test('a removal ends sign-ins that wait for their second step', async () => {
  const { world, ann, run, app } = await aPersonWhoLostAll()
  await run('remove-factors', ann.email)
  await passTime(world, keepFactors - 60_000)
  const { resolver, headers } = waiting(await world.signIn(ann))
  await passTime(world, 60_000)
  const input = { resolver, code: app.code() }
  expect(await world.refusal('finishSignIn', input, { headers })).toBe('auth/resolver-expired')
})

test('whoever passes the second step meanwhile has lost nothing, and the plan stays', async () => {
  const { world, ann, run, app } = await aPersonWhoLostAll()
  await run('remove-factors', ann.email)
  const { resolver, headers } = waiting(await world.signIn(ann))
  await world.does('finishSignIn', { resolver, code: app.code() }, { headers })
  await passTime(world)
  expect(await signInOf(world, ann)).toBeUndefined()
})

test('after another change of address the former links work, and the newest address is told', async () => {
  const { world, ann, run } = await aPersonWhoLostAll()
  await run('remove-factors', ann.email)
  const [oobCode] = await stopCodes(world, ann.email)
  await world.move(ann, 'new@example.com')
  await world.does('applyActionCode', { oobCode: oobCode! })
  await run('remove-factors', 'new@example.com')
  for (const email of [formerAddress, ann.email])
    expect(await stopCodes(world, email)).toHaveLength(2)
  await passTime(world)
  expect((await world.mails('new@example.com')).map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([planned, 'Authenticator app was removed from your Pergola account']),
  )
})

test('taking an account back stops a removal, whose mails that still wait never leave', async () => {
  const { world, ann, run } = await aPersonWhoLostAll()
  await world.untilWorkedOff()
  const oobCode = await world.mailedCode(formerAddress)
  const comeBack = await holdMails(world)
  await run('remove-factors', ann.email)
  await world.does('applyActionCode', { oobCode })
  await comeBack()
  for (const email of [formerAddress, ann.email]) expect(await stopCodes(world, email)).toEqual([])
  expect(await kindsOf(world, ann)).toContain('factorRemovalStopped')
  await passTime(world)
  const reset = { oobCode: await world.resetCode(formerAddress), newPassword: 'brand new horse' }
  await world.cannot('confirmPasswordReset', reset, needed)
})

test('an account that is deleted meanwhile leaves no plan behind', async () => {
  const { world, ann, run } = await aPersonWhoLostAll()
  await run('remove-factors', ann.email)
  const [oobCode] = await stopCodes(world, ann.email)
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  await world.cannot('applyActionCode', { oobCode: oobCode! }, 'auth/invalid-action-code')
  await passTime(world)
})
