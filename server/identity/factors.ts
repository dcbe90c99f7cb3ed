import { limits } from '#config/limits.ts'
import { randomBytes } from 'node:crypto'
import { record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import { after } from '../platform/time.ts'
import type { Added } from '../store/factors.ts'
import type { User } from '../store/users.ts'
import { mailCode } from './action-codes.ts'

const { keepFactors, recoverEmail } = limits.actionCodes

/**
 * Removes the user's factors and recovery codes that were added within a time, or all. The caller
 * has locked the user, and renews the credentials, which ends what the factors have opened. Returns
 * whether there is a second step left.
 */
export async function removeFactors(user: User, services: Services, added: Added = {}) {
  const { factors } = services.store
  const [removed, hasSecondStep] = await Promise.all([
    factors.removeAllOf(user.id, added),
    factors.settle(user.id, added),
  ])
  await Promise.all(
    removed.map(({ displayName }) =>
      record('factorRemoved', { to: user, details: { factor: displayName } }, services),
    ),
  )
  return hasSecondStep
}

/** Replaces the user's recovery codes, and returns the new ones, which nobody can find out later. */
export async function renewRecoveryCodes(userId: string, { store, now }: Services) {
  const codes = Array.from({ length: limits.factors.recoveryCodes }, newRecoveryCode)
  await store.factors.putRecoveryCodes({ userId, codes, now: now() })
  return codes.map((code) => code.match(/.{4}/g)!.join('-'))
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

function newRecoveryCode() {
  return Array.from(randomBytes(24), (byte) => alphabet[byte % alphabet.length]).join('')
}

/**
 * Plans the removal of factors that their user has lost. An operator may be deceived, so all who can
 * say that the account is theirs hear of it, and can stop it. The caller has locked the user.
 */
export async function planFactorRemoval(user: User, services: Services) {
  const { store, now } = services
  const at = after(now(), keepFactors)
  const [former] = await Promise.all([
    store.actionCodes.listFormerAddresses(user.id, after(now(), -recoverEmail)),
    store.users.setFactorRemoval({ id: user.id, at }),
  ])
  const told = [...new Set([user.email, ...former])]
  const options = { mail: 'factorsRemovedLater', isNeeded: () => true } as const
  for (const to of told)
    await mailCode(user, 'keepFactors', { at: at.toISOString() }, services, { ...options, to })
  return { at, told }
}

/** False if no removal is planned. The caller has locked the user. */
export async function stopFactorRemoval(user: User, services: Services) {
  if (user.factorsRemovedAt === null) return false
  await endPlan(user, services)
  await record('factorRemovalStopped', { by: user }, services)
  return true
}

/** Carries out the plans whose time has come. */
export async function removeLostFactors(services: Services) {
  const { store, now } = services
  for (const id of await store.users.listFactorRemovals(now()))
    await services.transaction((services) => removeAsPlanned(id, services))
}

/** Keeps factors that were added after the plan was made: they are not lost. */
async function removeAsPlanned(id: string, services: Services) {
  const { store, now } = services
  const user = await store.users.lock(id)
  const at = user?.factorsRemovedAt
  if (!user || !at || at > now()) return
  const until = after(at, -keepFactors)
  const factors = await store.factors.listOf(id)
  const lost = factors.filter(({ createdAt }) => createdAt <= until)
  await endPlan(user, services)
  if (lost.length === 0) return
  await store.users.renewCredentials(id)
  await removeFactors(user, services, { until })
  for (const { displayName: factor } of lost)
    await mailCode(user, 'secureAccount', { change: { kind: 'factorRemoved', factor } }, services)
}

async function endPlan({ id }: User, { store, now }: Services) {
  await Promise.all([
    store.users.setFactorRemoval({ id, at: null }),
    store.actionCodes.endAllOf(id, ['keepFactors'], now()),
  ])
}
