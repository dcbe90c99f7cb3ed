// @module-tag slow
import { limits, rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aProject, countOutcomes, inParallel, reasonOf, type World } from '../../tests/world.ts'

const password = 'a good secret'
const bob = { fullName: 'Bob Baker', email: 'bob@example.com', password }

/** Opens a project whose owner has invited Bob, who has no account. */
async function aProjectThatInvitesBob() {
  const project = await aProject()
  const { inviteId } = await project.owner.invites(project.id, bob.email, ['editor'])
  return { ...project, inviteId, inviteCode: await project.world.mailedCode(bob.email) }
}

async function isVerified(world: World, email: string) {
  return (await world.services.store.users.findByEmail(email))?.emailVerified
}

test('signing up with the code of an invitation verifies the address, mails no link to verify it, and joins no project', async () => {
  const { world, id, owner, inviteId, inviteCode } = await aProjectThatInvitesBob()
  const { user, token } = await world.does('signUp', { ...bob, inviteCode })
  expect(user).toMatchObject({ email: bob.email, emailVerified: true })
  expect(user).not.toHaveProperty('verificationSent')
  expect(await isVerified(world, bob.email)).toBe(true)
  const subjects = (await world.mails(bob.email)).map(({ subject }) => subject)
  expect(subjects).toEqual([expect.stringContaining('invites you')])
  expect((await owner.project(id)).permissions.editor).toBeUndefined()

  await world.does('acceptInvite', { inviteId }, { token })
  expect((await owner.project(id)).permissions.editor).toEqual([user.uid])
})

test('the address of an account that signed up with an invitation stays verified after the next sign-in', async () => {
  const { world, inviteCode } = await aProjectThatInvitesBob()
  await world.does('signUp', { ...bob, inviteCode })
  const { user } = await world.does('signIn', { email: bob.email, password })
  expect(user.emailVerified).toBe(true)
})

test.each<[string, string, (given: Awaited<ReturnType<typeof aProjectThatInvitesBob>>) => unknown]>(
  [
    ['is made up', 'inviteNotFound', () => 'made-up'],
    [
      'was mailed to another address',
      'inviteNotFound',
      async ({ world, id, owner }) => {
        await owner.invites(id, 'carl@example.com')
        return world.mailedCode('carl@example.com')
      },
    ],
    [
      'was replaced by a newer one',
      'inviteNotFound',
      async ({ id: subscriptionId, owner, inviteId }) =>
        void (await owner.does('resendInvite', { subscriptionId, inviteId })),
    ],
    [
      'has been revoked',
      'inviteNotPending',
      async ({ id: subscriptionId, owner, inviteId }) =>
        void (await owner.does('revokeInvite', { subscriptionId, inviteId })),
    ],
    [
      'belongs to a canceled project',
      'inviteNotPending',
      async ({ id, owner }) => void (await owner.cancels(id)),
    ],
    ['has expired', 'inviteExpired', ({ world }) => world.pass(limits.invites.live)],
  ],
)(
  'signing up with a code that %s is refused, and no account is created',
  async (_, reason, end) => {
    const given = await aProjectThatInvitesBob()
    const { world } = given
    const inviteCode = ((await end(given)) as string | undefined) ?? given.inviteCode
    await world.cannot('signUp', { ...bob, inviteCode }, reason as 'inviteNotFound')
    expect(await isVerified(world, bob.email)).toBeUndefined()
    await world.does('signUp', bob)
    expect(await isVerified(world, bob.email)).toBe(false)
  },
)

test('the refusal of a sign-up with a revoked invitation says how the invitation ended', async () => {
  const { world, id: subscriptionId, owner, inviteId, inviteCode } = await aProjectThatInvitesBob()
  await owner.does('revokeInvite', { subscriptionId, inviteId })
  const { error } = await world.call('signUp', { ...bob, inviteCode })
  expect(error!.details).toEqual({ reason: 'inviteNotPending', status: 'revoked' })
})

test('signing up with an invitation to an address that has an account is refused and verifies nothing', async () => {
  const { world, inviteCode } = await aProjectThatInvitesBob()
  await world.aPerson('bob', { verified: false })
  await world.cannot('signUp', { ...bob, inviteCode }, 'auth/email-already-in-use')
  expect(await isVerified(world, bob.email)).toBe(false)
})

test('when ten people sign up with one invitation at once, one account is created', async () => {
  const { world, inviteCode } = await aProjectThatInvitesBob()
  const answers = await inParallel(10, () => world.call('signUp', { ...bob, inviteCode }))
  expect(countOutcomes(answers)).toEqual({ done: 1, 'auth/email-already-in-use': 9 })
})

test('wrong codes of invitations are limited, and a right one of a neighbour still works', async () => {
  const { world, inviteCode } = await aProjectThatInvitesBob()
  const signUp = (inviteCode: string) => world.call('signUp', { ...bob, inviteCode })
  expect(reasonOf(await signUp('a guess'))).toBe('inviteNotFound')
  await world.useUp('codesByNetwork', 'unknown', rateLimits.codesByNetwork.tries - 1)
  expect(reasonOf(await signUp('another guess'))).toBe('auth/too-many-requests')
  await world.does('checkInvite', { code: inviteCode })
  expect((await signUp(inviteCode)).status).toBe(200)
})

test('the link of an invitation shows what the inviter called the person, and whether the address has an account', async () => {
  const { world, id: subscriptionId, owner } = await aProject()
  const invite = { subscriptionId, permissions: [] }
  await owner.does('createInvite', { ...invite, email: bob.email, name: 'Bobby' })
  const code = await world.mailedCode(bob.email)
  expect(await world.does('checkInvite', { code })).toMatchObject({
    name: 'Bobby',
    hasAccount: false,
  })
  await world.does('signUp', bob)
  expect(await world.does('checkInvite', { code })).toMatchObject({ hasAccount: true })

  await owner.does('createInvite', { ...invite, email: 'carl@example.com' })
  const unnamed = await world.mailedCode('carl@example.com')
  expect(await world.does('checkInvite', { code: unnamed })).toMatchObject({ name: null })
})
