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
import { acceptPasskey, creationOptions, type Credential } from './passkeys.ts'
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
    const isPasskey = type === 'passkey'
    const factors = await requireRoom(user.uid, services)
    const [id, secret] = [newToken(), isPasskey ? newToken() : newSecret()]
    const options = isPasskey && (await creationOptions(user, secret, factors, services))
    await store.factors.addEnrollment({
      id,
      userId: user.uid,
      sessionId: user.session.id,
      type,
      displayName: displayName ?? (isPasskey ? 'Passkey' : 'Authenticator app'),
      secret: secrets.seal('factor', secret),
      expiresAt: after(now(), limits.factors.enrollment),
    })
    if (options) return { enrollmentId: id, options }
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
    const { type, displayName } = enrollment
    const proved =
      type === 'passkey'
        ? await provePasskey(enrollment, input.credential, services)
        : proveApp(enrollment, input.code, services)
    await requireRoom(row.id, services)
    // The mail's link removes what was added since it was made, and so the factor.
    await tell({ kind: 'factorAdded', factor: displayName }, row, services)
    const at = now()
    const about = { id: newId(), userId: row.id, type, displayName, createdAt: at }
    const added: FactorRow = { ...nothingOfIt, ...about, ...proved }
    await store.factors.add(added)
    if (type === 'passkey') return { factor: toFactor(added) }
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
  const factors = await store.factors.listOf(userId)
  if (factors.length >= limits.factors.perUser) throw new Refusal('auth/too-many-factors')
  return factors
}

/** What is null of a factor of the other type, and of one that was not used yet. */
const nothingOfIt = {
  secret: null,
  lastStep: null,
  credentialId: null,
  publicKey: null,
  rpId: null,
  counter: null,
  transports: null,
  isSynced: null,
  lastUsedAt: null,
}

type Enrolled = { secret: string }

function proveApp({ secret }: Enrolled, code: string | undefined, services: Services) {
  if (code === undefined) throw new Refusal('invalidInput', { fields: { code: 'required' } })
  const lastStep = findStep(openSecret(secret, services), code, services.now())
  if (lastStep === undefined) throw new Refusal('auth/invalid-verification-code')
  return { secret, lastStep }
}

async function provePasskey(
  { secret }: Enrolled,
  credential: Credential | undefined,
  services: Services,
) {
  if (!credential) throw new Refusal('invalidInput', { fields: { credential: 'required' } })
  const challenge = services.secrets.open('factor', secret) ?? ''
  return acceptPasskey(credential, challenge, services)
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

export function toFactor(row: FactorRow): Factor {
  const { id, type, displayName, createdAt, lastUsedAt, isSynced } = row
  return {
    id,
    type,
    display_name: displayName,
    created: seconds(createdAt),
    last_used: lastUsedAt && seconds(lastUsedAt),
    ...(isSynced !== null && { is_synced: isSynced }),
  }
}
