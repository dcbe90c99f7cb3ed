// @module-tag slow
import { limits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aProgram } from '../../tests/a-program.ts'
import {
  aProject,
  aWorld,
  aWorldWith,
  inParallel,
  openWorld,
  countOutcomes,
} from '../../tests/world.ts'

test('a user must confirm a new email address, and a link mailed to the old address undoes the change', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { uid, email, password } = ann
  const newEmail = 'new@example.com'
  await ann.does('updateEmail', { newEmail: ' New@Example.com' })
  const change = await world.mailedCode(newEmail)
  const checked = await world.does('checkActionCode', { oobCode: change })
  expect(checked).toEqual({ mode: 'verifyAndChangeEmail', email, newEmail })
  await world.call('applyActionCode', { oobCode: change })
  const { user } = await world.does('signIn', { email: newEmail, password })
  expect(user).toMatchObject({ uid, emailVerified: true })

  const oobCode = await world.mailedCode(email)
  expect(await world.does('checkActionCode', { oobCode })).toEqual({ mode: 'recoverEmail', email })
  await world.call('applyActionCode', { oobCode })
  await ann.cannot('getUser', {}, 'sessionEnded')
  expect((await world.refresh(ann.cookie)).status).toBe(401)
  expect((await world.signIn(ann)).status).toBe(401)

  const reset = await world.mailedCode(email)
  await world.call('confirmPasswordReset', { oobCode: reset, newPassword: 'mine again' })
  expect((await world.does('signIn', { email, password: 'mine again' })).user.email).toBe(email)
})

test('after two changes of the email address, the link mailed to the first address still recovers the account', async () => {
  const [world, ann] = await aWorldWith('ann')
  for (const newEmail of ['thief1@example.com', 'thief2@example.com'])
    await world.move(ann, newEmail)
  await world.openMail(ann.email)
  const thiefsWayBack = await world.mailedCode('thief1@example.com')
  await world.cannot('applyActionCode', { oobCode: thiefsWayBack }, 'auth/invalid-action-code')
})

test('a change of the email address needs a verified current address, a recent sign-in and a new address that no account has', async () => {
  const world = await aWorld()
  const [ann, bob] = [await world.aPerson('ann'), await world.aPerson('bob', { verified: false })]
  await bob.cannot('updateEmail', { newEmail: 'new@example.com' }, 'auth/operation-not-allowed')
  await ann.cannot('updateEmail', { newEmail: bob.email }, 'auth/email-already-in-use')
  world.pass(limits.sessions.recentSignIn + 1000)
  await ann.cannot('updateEmail', { newEmail: 'new@example.com' }, 'auth/requires-recent-login')
  await ann.cannot('updatePassword', { newPassword: 'brand new' }, 'auth/requires-recent-login')
  await ann.cannot('deleteAccount', { confirmationId: ann.uid }, 'auth/requires-recent-login')
  await ann.cannot('reauthenticate', { password: 'wrong' }, 'auth/wrong-password')
  await ann.does('reauthenticate', { password: ann.password })
  await ann.does('updateEmail', { newEmail: 'new@example.com' })
})

test('confirming a new email address is refused when another user has taken it, and does not use up the link', async () => {
  const [world, ann] = await aWorldWith('ann')
  await ann.call('updateEmail', { newEmail: 'bob@example.com' })
  const oobCode = await world.mailedCode('bob@example.com')
  await world.aPerson('bob')
  await world.cannot('applyActionCode', { oobCode }, 'auth/email-already-in-use')
  await world.does('checkActionCode', { oobCode })
})

test('changing the password ends all sessions but the one that did it, and mails a link to lock the account', async () => {
  const [world, ann] = await aWorldWith('ann')
  const other = (await world.signedIn(ann)).token
  await ann.call('updatePassword', { newPassword: 'brand new' })
  await ann.does('getUser', {})
  await world.cannot('getUser', {}, 'sessionEnded', { token: other })

  const lock = await world.mailedCode(ann.email)
  const checked = await world.does('checkActionCode', { oobCode: lock })
  expect(checked).toEqual({ mode: 'secureAccount', email: ann.email })
  await world.call('applyActionCode', { oobCode: lock })
  await ann.cannot('getUser', {}, 'sessionEnded')
  expect((await world.call('signIn', { email: ann.email, password: 'brand new' })).status).toBe(401)
  const reset = await world.mailedCode(ann.email)
  expect((await world.does('checkActionCode', { oobCode: reset })).mode).toBe('resetPassword')
})

test('when a link to recover an account is used eight times at once, one use succeeds', async () => {
  const [world, ann] = await aWorldWith('ann')
  await world.move(ann, 'new@example.com')
  const oobCode = await world.mailedCode(ann.email)
  const answers = await inParallel(8, () => world.call('applyActionCode', { oobCode }))
  expect(countOutcomes(answers)).toEqual({ done: 1, 'auth/invalid-action-code': 7 })
})

test('a user who owns an active project can’t delete their account; deleting it otherwise removes all their data', async () => {
  const { world, id, owner, bob } = await aProject({ people: { bob: ['admin'] } })
  await owner.renames(id, 'Bridge')
  await owner.cannot('deleteAccount', { confirmationId: 'something else' }, 'confirmationMismatch')
  const refused = await owner.call('deleteAccount', { confirmationId: owner.uid })
  const projects = [{ id, name: 'Bridge' }]
  expect(refused.error!.details).toEqual({ reason: 'ownsActiveProjects', projects })

  await world.services.store.subscriptions.cancel(id)
  const { headers, result } = await owner.call('deleteAccount', { confirmationId: owner.uid })
  expect(result).toEqual({})
  expect(headers.getSetCookie().every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
  await owner.cannot('getUser', {}, 'sessionEnded')
  expect((await world.signIn(owner)).status).toBe(401)
  expect((await bob.project(id)).permissions.access).toEqual([bob.uid])
  const { users } = await bob.does('getSubscriptionUsers', { subscriptionId: id })
  expect(users).toMatchObject([{ id: bob.uid, is_owner: false }])
  const subjects = (await world.mails(owner.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Your Pergola account is deleted')
  await world.does('signUp', { fullName: 'New', email: owner.email, password: 'secret of ann' })
})

/** A user with a purchase that waits for 3-D Secure, because they closed the bank's dialog. */
async function aLeftPurchase() {
  const [world, ann] = await aWorldWith('ann')
  const { subscriptionId, clientSecret } = await ann.buys('pm_card_authenticationRequired')
  const { customerId, providerSubscriptionId } =
    (await world.services.store.billing.find(subscriptionId))!
  const expectNothingLeft = async () => {
    await world.untilWorkedOff()
    const { store, payments } = world.services
    expect(await store.billing.find(subscriptionId)).toBeUndefined()
    expect(await payments.findProviderSubscription(providerSubscriptionId!)).toMatchObject({
      state: 'ended',
    })
    expect(await payments.findBillingDetails(customerId!)).toBeUndefined()
  }
  return { world, ann, subscriptionId, clientSecret: clientSecret!, expectNothingLeft }
}

test('deleting an account ends the user’s purchase that waits for 3-D Secure, so that it can’t be paid later', async () => {
  const { ann, expectNothingLeft } = await aLeftPurchase()
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  await expectNothingLeft()
})

test('deleting an account ends a purchase whose 3-D Secure succeeded just before', async () => {
  const { world, ann, clientSecret, expectNothingLeft } = await aLeftPurchase()
  await world.control({ webhooks: { mode: 'drop' } })
  await world.answerChallenge(clientSecret, 'succeed')
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  await expectNothingLeft()
})

test('an account can’t be deleted while a purchase by its user is being charged, and can be deleted afterwards', async () => {
  const { world, ann, subscriptionId, expectNothingLeft } = await aLeftPurchase()
  const { store, now } = world.services
  const until = new Date(now().getTime() + 60_000)
  const lease = await store.billing.acquireLease(subscriptionId, {
    by: 'another',
    now: now(),
    until,
  })
  await ann.cannot('deleteAccount', { confirmationId: ann.uid }, 'billingBusy')
  await store.billing.releaseLease(lease!)
  await ann.does('deleteAccount', { confirmationId: ann.uid })
  await expectNothingLeft()
})

test('a user can list and revoke sessions, and another server refuses the next request of a revoked session', async () => {
  const [world, ann] = await aWorldWith('ann')
  const second = await openWorld(world.connection)
  const { email, password } = ann
  const headers = { 'user-agent': 'Phone' }
  const phone = await world.does('signIn', { email, password }, { headers })
  const tablet = await world.signedIn(ann)
  const { sessions } = await ann.does('listSessions', {})
  expect(sessions.filter(({ is_current }) => is_current)).toHaveLength(1)
  expect(sessions.filter(({ user_agent }) => user_agent === 'Phone')).toHaveLength(1)

  const sessionId = sessions.find(({ user_agent }) => user_agent === 'Phone')!.id
  await ann.does('revokeSession', { sessionId })
  await second.cannot('getUser', {}, 'sessionEnded', { token: phone.token })
  await ann.cannot('revokeSession', { sessionId }, 'sessionNotFound')

  const mallory = await world.aPerson('mallory')
  await mallory.cannot('revokeSession', { sessionId: sessions[0]!.id }, 'sessionNotFound')
  await ann.call('revokeOtherSessions', {})
  await second.cannot('getUser', {}, 'sessionEnded', { token: tablet.token })
  await second.does('getUser', {}, { token: ann.token })
})

test('the export of a user’s data contains no password, token or code that gives access', async () => {
  const { world, id, owner } = await aProject()
  const program = await aProgram(world, owner)
  await owner.invites(id, 'bob@example.com')
  const { data } = await owner.does('exportUser', {})
  expect(data).toMatchObject({
    user: { email: owner.email },
    projects: [{ id, is_owner: true, permissions: ['access', 'admin'] }],
    invitations_sent: [{ email: 'bob@example.com' }],
  })
  const { access_tokens: tokens, ...others } = data
  expect(tokens).toEqual([program.accessToken])
  expect(JSON.stringify(tokens)).not.toMatch(/atr_|hash/)
  expect(JSON.stringify(others)).not.toMatch(/argon2|hash|atr_|"token/i)
})
