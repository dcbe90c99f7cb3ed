import { projectName } from '#contract/project-name.ts'
import type { RecordedKind } from '#contract/activity.ts'
import { record } from '../../server/activity/record.ts'
import type { Services } from '../../server/core/services.ts'
import { endAccount } from '../../server/identity/account-deletion.ts'
import { mailCode } from '../../server/identity/action-codes.ts'
import { endFormerAccess } from '../../server/identity/credentials.ts'
import { planFactorRemoval } from '../../server/identity/factors.ts'
import { StartError } from '../../server/platform/start-error.ts'
import type { User } from '../../server/store/users.ts'
import { onPerson, orSay, type Desk } from './command.ts'
import { inUtc } from './in-words.ts'
import { countedAs } from './person.ts'

/** Forgets what rate limits have counted of an account. */
export const unlock = onPerson(async (user, desk) => {
  const { length: forgotten } = await changed(desk, user, 'signInUnlocked', ({ store }) =>
    store.rateLimits.forgetOf({ whose: countedAs(user, desk.services) }),
  )
  return { said: `${user.email} can try again: ${forgotten} limits forgotten.`, forgotten }
})

export const disable = onPerson(async (user, desk) => {
  if (user.disabled) return { said: `${user.email} is disabled already.` }
  const ended = (await desk.services.store.sessions.listOf(user.id)).length
  await changed(desk, user, 'accountDisabled', async (services) => {
    // Before the database does it, which tells nobody of the access tokens.
    await endFormerAccess(user.id, services)
    await setDisabled(user, true, services)
  })
  return { said: `${user.email} can no longer sign in. Sessions ended: ${ended}.`, ended }
})

export const enable = onPerson(async (user, desk) => {
  if (!user.disabled) return { said: `${user.email} is not disabled.` }
  await changed(desk, user, 'accountEnabled', (services) => setDisabled(user, false, services))
  return { said: `${user.email} can sign in again.` }
})

/** Ends the sessions and access tokens of a person, the links that were mailed, and what browsers remember. */
export const endSessions = onPerson(async (user, desk) => {
  const ended = (await desk.services.store.sessions.listOf(user.id)).length
  await changed(desk, user, 'sessionsEnded', (services) => endFormerAccess(user.id, services))
  return { said: `${user.email} must sign in again. Sessions ended: ${ended}.`, ended }
})

export const sendReset = onPerson(async (user, desk) => {
  await changed(desk, user, 'passwordResetSent', (services) =>
    mailCode(user, 'resetPassword', {}, services, { isNeeded: () => true }),
  )
  return { said: `${user.email} gets a mail with a link to choose a new password.` }
})

/** Turns off the second step of somebody who has lost all factors and recovery codes, a day later. */
export const planRemoval = onPerson(async ({ id, email }, { services, operator }) => {
  return services.transaction(async (services) => {
    const { users, factors } = services.store
    const user = await users.lock(id)
    if (!user) throw new StartError(`${email} has just been deleted.`)
    const planned = user.factorsRemovedAt
    if (planned !== null)
      return {
        said: `Two-step sign-in of ${email} is turned off after ${inUtc(planned)} already.`,
        at: planned,
      }
    if ((await factors.listOf(id)).length === 0)
      return { said: `${email} has no two-step sign-in.` }
    const { at, told } = await planFactorRemoval(user, services)
    await record('factorRemovalPlanned', { by: operator, to: user }, services)
    return {
      said: `Two-step sign-in of ${email} is turned off after ${inUtc(at)}, unless somebody stops it by the link that was mailed to ${told.join(', ')}.`,
      at,
      told,
    }
  })
})

/** Deletes an account as its owner would. The log keeps only its id. */
export const remove = onPerson(async (user, { services, operator }) => {
  const owned = await services.store.billing.listActiveOf(user.id)
  const projects = owned.map(({ id, settings }) => `${id} ${projectName(settings)}`.trim())
  await orSay(
    {
      ownsActiveProjects: `${user.email} owns active projects: ${projects.join(', ')}. Transfer or cancel them first.`,
      billingBusy: `A purchase of ${user.email} is being charged. Try again in a minute.`,
    },
    () =>
      services.transaction(async (services) => {
        if (!(await endAccount(user.id, services)))
          throw new StartError(`${user.email} has just been deleted.`)
        await record('accountDeleted', { by: operator, to: user.id, details: {} }, services)
      }),
  )
  return { said: `${user.email} is deleted, and gets a mail about it.` }
})

/** Changes an account and records it in its activity, both or none. */
async function changed<Result>(
  { services, operator }: Desk,
  user: User,
  kind: RecordedKind,
  change: (services: Services) => Promise<Result>,
) {
  return services.transaction(async (services) => {
    if (!(await services.store.users.lock(user.id)))
      throw new StartError(`${user.email} has just been deleted.`)
    const result = await change(services)
    await record(kind, { by: operator, to: user }, services)
    return result
  })
}

async function setDisabled({ id }: User, disabled: boolean, { store, identity, now }: Services) {
  await store.users.setDisabled({ id, disabled, now: now() })
  await identity.updateUser(id, { disabled })
}
