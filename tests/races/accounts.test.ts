import { expect, test } from 'vitest'
import { aStage, runRaces, together, type Races } from './stage.ts'

const rounds = Number(process.env['RACE_ROUNDS'] ?? 60)

const oneHasIt = ['done + auth/email-already-in-use', 'auth/email-already-in-use + done']

/** Every round of a race gets a new address. */
const races: Races<string> = {
  async 'two people who confirm one address'({ aPerson, aCode, visitor }, address) {
    const codes = await Promise.all(
      [1, 2].map(async () => aCode(await aPerson(), 'verifyAndChangeEmail', address)),
    )
    const [one, other] = codes.map((oobCode) => () => visitor('applyActionCode', { oobCode }))
    return { outcomes: await together(one!, other!), may: oneHasIt }
  },

  async 'somebody who confirms an address against somebody who signs up with it'(
    { aPerson, aCode, visitor },
    address,
  ) {
    const oobCode = await aCode(await aPerson(), 'verifyAndChangeEmail', address)
    const outcomes = await together(
      () => visitor('applyActionCode', { oobCode }),
      () => visitor('signUp', { fullName: 'Bob', email: address, password: 'correct horse' }),
    )
    return { outcomes, may: oneHasIt }
  },

  async 'the deletion of an account against a new project'({ aPerson }) {
    const ann = await aPerson()
    const outcomes = await together(
      () => ann.ask('deleteAccount', { confirmationId: ann.uid }),
      () => ann.ask('createSubscription', { planId: 'free' }),
    )
    return { outcomes, may: ['done + sessionEnded', 'ownsActiveProjects + done'] }
  },

  async 'the deletion of an account against joining a project and being made its owner'({
    aPerson,
    aProject,
    invite,
    store,
  }) {
    const [owner, ann] = [await aPerson(), await aPerson()]
    const project = await aProject(owner)
    const inviteId = await invite(project, owner, ann, { permissions: ['admin'] })
    const outcomes = await together(
      () => ann.ask('deleteAccount', { confirmationId: ann.uid }),
      async () => {
        const { error } = await ann.ask('acceptInvite', { inviteId })
        return error
          ? { error }
          : owner.ask('transferSubscriptionOwnership', {
              subscriptionId: project,
              newOwnerId: ann.uid,
            })
      },
    )
    const { owner_id } = (await store.subscriptions.find(project))!
    expect(owner_id).toBe(outcomes[1] === 'done' ? ann.uid : owner.uid)
    return {
      outcomes,
      may: ['done + sessionEnded', 'done + notEligibleOwner', 'ownsActiveProjects + done'],
    }
  },

  async 'the deletion of an account against leaving a project, with Idempotency-Keys'({
    aPerson,
    aProject,
    aMember,
  }) {
    const project = await aProject(await aPerson())
    const ann = await aMember(project)
    const outcomes = await together(
      () => ann.ask('deleteAccount', { confirmationId: ann.uid }, 'delete'),
      () => ann.ask('leaveSubscription', { subscriptionId: project }, 'leave'),
    )
    return { outcomes, may: ['done + done', 'done + accessDenied', 'done + sessionEnded'] }
  },

  async 'the deletion of an account against signing out elsewhere, with Idempotency-Keys'({
    aPerson,
    signInAgain,
  }) {
    const ann = await aPerson()
    const sessionId = await signInAgain(ann)
    const outcomes = await together(
      () => ann.ask('deleteAccount', { confirmationId: ann.uid }, 'delete'),
      () => ann.ask('revokeSession', { sessionId }, 'revoke'),
    )
    return { outcomes, may: ['done + done', 'done + sessionNotFound', 'done + sessionEnded'] }
  },

  async 'the deletion of an account against a sign-in'({ aPerson, withPassword, visitor }) {
    const ann = await aPerson()
    const password = await withPassword(ann)
    const outcomes = await together(
      () => ann.ask('deleteAccount', { confirmationId: ann.uid }),
      () => visitor('signIn', { email: ann.email, password }),
    )
    return { outcomes, may: ['done + done', 'done + auth/invalid-credential'] }
  },

  async 'the deletion of an account against a forgotten password'({ aPerson, visitor }) {
    const ann = await aPerson()
    const outcomes = await together(
      () => ann.ask('deleteAccount', { confirmationId: ann.uid }),
      () => visitor('sendPasswordResetEmail', { email: ann.email }),
    )
    return { outcomes, may: ['done + done'] }
  },

  async 'two deletions of an account'({ aPerson }) {
    const ann = await aPerson()
    const remove = () => ann.ask('deleteAccount', { confirmationId: ann.uid })
    const outcomes = await together(remove, remove)
    return { outcomes, may: ['done + sessionEnded', 'sessionEnded + done'] }
  },

  async 'the deletion of an account against what its screens ask and save'({ aPerson }) {
    const ann = await aPerson()
    const outcomes = await together(
      () => ann.ask('deleteAccount', { confirmationId: ann.uid }),
      () => ann.ask('getUser', {}),
      () => ann.ask('exportUser', {}),
      () => ann.ask('saveUser', { display_name: 'Ann Archer' }, 'save'),
      () => ann.ask('updateEmail', { newEmail: `new-${ann.email}` }),
      () => ann.ask('updatePassword', { newPassword: 'battery staple' }),
    )
    const [deleted, ...others] = outcomes
    return {
      outcomes: [deleted, ...new Set(others.filter((outcome) => outcome !== 'done'))],
      may: ['done', 'done + sessionEnded'],
    }
  },
}

test(
  `in ${rounds} rounds of each account race on two servers every losing call gets its reason`,
  { timeout: 900_000 },
  async () => {
    const stage = await aStage()
    await runRaces(stage, races, rounds, async (name, round) => {
      await stage.pool.query('delete from rate_limits')
      return `race-${Object.keys(races).indexOf(name)}-${round}@example.com`
    })
  },
)
