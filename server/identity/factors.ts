import { limits } from '#config/limits.ts'
import { randomBytes } from 'node:crypto'
import { record } from '../activity/record.ts'
import type { Services } from '../core/services.ts'
import type { Added } from '../store/factors.ts'
import type { User } from '../store/users.ts'

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
