import { Secret, TOTP } from 'otpauth'
import { record } from '../activity/record.ts'
import type { Try } from '../core/rate-limits.ts'
import type { Services, Visit } from '../core/services.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { User } from '../store/users.ts'
import { mailCode } from './action-codes.ts'
import { findKnownDevice } from './devices.ts'
import { usePasskey, type Credential } from './passkeys.ts'

/** What somebody passes a second step with: one of them. See docs/decisions/021-second-step.md. */
export type SecondStep = {
  code?: string | undefined
  recoveryCode?: string | undefined
  credential?: Credential | undefined
}

/** Whether one is given. Refuses several. */
export function hasStep({ code, recoveryCode, credential }: SecondStep) {
  const given = Object.entries({ code, recoveryCode, credential }).filter(([, it]) => it)
  if (given.length > 1) throw new Refusal('invalidInput', { fields: { [given[1]![0]]: 'unknown' } })
  return given.length === 1
}

const wrong = 'auth/invalid-verification-code'

/**
 * Runs `work`, which passes the second step of a user who has passed the first one, within limits of
 * wrong codes. The owner learns of a wrong code. Known devices and mailed links have limits of their
 * own, so that somebody with the password can't lock the owner out.
 */
export async function guardSecondStep<Answer>(
  user: User,
  { credential }: SecondStep,
  visit: Visit,
  services: Services,
  work: () => Promise<Answer>,
  { byMail = false } = {},
) {
  // Nobody guesses a signature.
  if (credential) return work()
  const { rateLimits } = services
  const device = findKnownDevice(user, visit, services)
  const tries: { own: Try[] } | { shared: Try[] } =
    device === undefined
      ? { shared: [['wrongSecondStepOfStrangers', byMail ? `${user.id} mail` : user.id]] }
      : { own: [['wrongSecondStepByDevice', `${user.id} ${device}`]] }
  try {
    return await rateLimits.attempt(tries, (error) => isRefusal(error, wrong), work)
  } catch (error) {
    if (isRefusal(error, wrong)) await reportWrong(user, visit, services)
    throw error
  }
}

/** Another password or factor lets strangers' tries begin anew. Ending sessions must not. */
export async function forgetWrongSteps(userId: string, { successLimits }: Services) {
  await successLimits.reset(['wrongSecondStepOfStrangers', userId])
}

async function reportWrong(user: User, { userAgent, address }: Visit, services: Services) {
  const limit: Try = ['secondStepNoticesByAccount', user.id]
  const details = { device: userAgent.slice(0, 200), address }
  await services.transaction((services) =>
    Promise.all([
      record('secondStepFailed', { to: user, details }, services),
      services.jobs.addWithin(limit, 'mailWrongSecondStep', {
        userId: user.id,
        userAgent,
        address,
      }),
    ]),
  )
}

/**
 * Passes the second step, or refuses. Runs in the transaction of what comes after it. A passkey has
 * to answer the `challenge`, and to verify its person if it is `alone`.
 */
export async function passSecondStep(
  user: User,
  { code, recoveryCode, credential }: SecondStep,
  { challenge = '', alone = false }: { challenge?: string | undefined; alone?: boolean },
  services: Services,
) {
  if (credential) {
    const isVerified = await usePasskey(user.id, credential, challenge, services)
    if (alone && !isVerified) throw new Refusal('auth/passkey-not-accepted')
    return
  }
  const isRight =
    code === undefined
      ? recoveryCode !== undefined && (await useRecoveryCode(user, recoveryCode, services))
      : await useCode(user, code, services)
  if (!isRight) throw new Refusal(wrong)
}

async function useCode({ id: userId }: User, code: string, services: Services) {
  const { store, now } = services
  for (const { id, type, secret } of await store.factors.listOf(userId)) {
    if (type !== 'totp') continue
    const step = findStep(openSecret(secret!, services), code, now())
    if (step !== undefined && (await store.factors.useCode({ id, step, now: now() }))) return true
  }
  return false
}

async function useRecoveryCode(user: User, code: string, services: Services) {
  const { factors } = services.store
  if (!(await factors.useRecoveryCode({ userId: user.id, code }))) return false
  const left = String(await factors.countRecoveryCodes(user.id))
  await Promise.all([
    record('recoveryCodeUsed', { by: user, details: { left } }, services),
    mailCode(user, 'secureAccount', { change: { kind: 'recoveryCodeUsed', left } }, services),
  ])
  return true
}

/** In milliseconds. Apps assume this, as the six digits and SHA-1. */
const period = 30_000

/** The time step of a code, which may be one step early or late. */
export function findStep(secret: string | undefined, token: string, now: Date) {
  if (secret === undefined) return undefined
  const timestamp = now.getTime()
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const delta = app.validate({ token, timestamp, window: 1 })
  return delta === null ? undefined : Math.floor(timestamp / period) + delta
}

export function newSecret() {
  return new Secret({ size: 20 }).base32
}

/** Undefined if the key that sealed it is not there any more. */
export function openSecret(sealed: string, { secrets, log }: Services) {
  const secret = secrets.open('factor', sealed)
  if (secret === undefined)
    log.error('the SECRET_KEY that sealed a factor is not there any more, so its codes do not work')
  return secret
}
