import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import type { Factor } from '#contract/entities.ts'
import { TOTP } from 'otpauth'
import { record } from '../activity/record.ts'
import type { Handlers, Services } from '../core/services.ts'
import type { SecurityChange } from '../mails/mails.ts'
import { newId, newToken } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { after, seconds } from '../platform/time.ts'
import type { Factor as FactorRow } from '../store/factors.ts'
import type { User } from '../store/users.ts'
import { mailCode } from './action-codes.ts'
import { lockRecent, requireRecentSignIn } from './credentials.ts'
import { rememberDevice } from './devices.ts'
import { renewRecoveryCodes } from './factors.ts'
import { findStep, forgetWrongSteps, newSecret, openSecret } from './second-step.ts'

export const factorCalls = {
  async listFactors({ user: { uid } }, { store, identity }) {
    if (!identity.offersFactors) throw new Refusal('auth/factor-not-offered')
    const [factors, left] = await Promise.all([
      store.factors.listOf(uid),
      store.factors.countRecoveryCodes(uid),
    ])
    return { factors: factors.map(toFactor), recovery_codes_left: left }
  },

  async startFactorEnrollment({ input: { type, displayName }, user }, services) {
    const { store, identity, secrets, now } = services
    if (!identity.offersFactors) throw new Refusal('auth/factor-not-offered')
    if (!user.claimed) throw new Refusal('claimRequired')
    requireRecentSignIn(user, services)
    await requireRoom(user.uid, services)
    const [id, secret] = [newToken(), newSecret()]
    await store.factors.addEnrollment({
      id,
      userId: user.uid,
      sessionId: user.session.id,
      type,
      displayName: displayName ?? 'Authenticator app',
      secret: secrets.seal('factor', secret),
      expiresAt: after(now(), limits.factors.enrollment),
    })
    const uri = new TOTP({ issuer: product.name, label: user.email, secret }).toString()
    return { enrollmentId: id, secret, uri }
  },

  async finishFactorEnrollment({ input, user, visit }, services) {
    const { store, now } = services
    const row = await lockRecent(user, services)
    if (!row.claimed) throw new Refusal('claimRequired')
    const wanted = { id: input.enrollmentId, sessionId: user.session.id, now: now() }
    const enrollment = await store.factors.takeEnrollment(wanted)
    if (!enrollment) throw new Refusal('auth/enrollment-expired')
    const { type, displayName, secret } = enrollment
    const lastStep = findStep(openSecret(secret, services), input.code, now())
    if (lastStep === undefined) throw new Refusal('auth/invalid-verification-code')
    await requireRoom(row.id, services)
    // The mail's link removes what was added since it was made, and so the factor.
    await tell({ kind: 'factorAdded', factor: displayName }, row, services)
    const at = now()
    const factor = { id: newId(), userId: row.id, type, displayName, secret, lastStep }
    const added: FactorRow = { ...factor, createdAt: at, lastUsedAt: null }
    await store.factors.add(added)
    await store.sessions.markPassed(user.session.id, { secondStepAt: at })
    if (row.hasSecondStep) return { factor: toFactor(added) }
    await endSignInsUnderWay(row, services, (renewed) => rememberDevice(renewed, visit, services))
    return { factor: toFactor(added), recoveryCodes: await renewRecoveryCodes(row.id, services) }
  },

  async renewRecoveryCodes({ user }, services) {
    const row = await lockRecent(user, services)
    if (!row.hasSecondStep) throw new Refusal('auth/second-step-off')
    await tell({ kind: 'recoveryCodesRenewed' }, row, services)
    return { recoveryCodes: await renewRecoveryCodes(row.id, services) }
  },

  async renameFactor({ input: { factorId, displayName }, user }, services) {
    const { factors } = services.store
    const row = await lockRecent(user, services)
    const found = (await factors.listOf(row.id)).find(({ id }) => id === factorId)
    if (!found) throw new Refusal('auth/factor-not-found')
    if (found.displayName === displayName) return {}
    await factors.rename({ id: factorId, userId: row.id, displayName })
    await tell({ kind: 'factorRenamed', from: found.displayName, to: displayName }, row, services)
    return {}
  },

  async removeFactor({ input: { factorId }, user, visit }, services) {
    const { factors } = services.store
    const row = await lockRecent(user, services)
    const removed = await factors.remove({ id: factorId, userId: row.id })
    if (!removed) throw new Refusal('auth/factor-not-found')
    await endSignInsUnderWay(row, services, (renewed) => rememberDevice(renewed, visit, services))
    await tell({ kind: 'factorRemoved', factor: removed.displayName }, row, services)
    return {}
  },
} satisfies Partial<Handlers>

async function requireRoom(userId: string, { store }: Services) {
  const { length } = await store.factors.listOf(userId)
  if (length >= limits.factors.perUser) throw new Refusal('auth/too-many-factors')
}

/**
 * Notes whether there is a second step now, and ends what was begun under the former rule: sign-ins
 * that have passed their first step, and the leave of browsers to skip the second one.
 */
async function endSignInsUnderWay(
  user: User,
  services: Services,
  remember: (renewed: User) => void,
) {
  const { store } = services
  const [renewed, hasSecondStep] = await Promise.all([
    store.users.renewCredentials(user.id),
    store.factors.settle(user.id),
    forgetWrongSteps(user.id, services),
  ])
  remember({ ...renewed!, hasSecondStep })
}

type Told = Extract<
  SecurityChange,
  { kind: 'factorAdded' | 'factorRenamed' | 'factorRemoved' | 'recoveryCodesRenewed' }
>

async function tell({ kind, ...details }: Told, user: User, services: Services) {
  const change = { kind, ...details } as Told
  await mailCode(user, 'secureAccount', { change }, services)
  await record(kind, { by: user, details }, services)
}

export function toFactor({ id, type, displayName, createdAt, lastUsedAt }: FactorRow): Factor {
  return {
    id,
    type,
    display_name: displayName,
    created: seconds(createdAt),
    last_used: lastUsedAt && seconds(lastUsedAt),
  }
}
