import type { CallOutput } from '#contract/calls.ts'
import { limitReached, type Try } from '../core/rate-limits.ts'
import type { Handlers, Services, Visit } from '../core/services.ts'
import { newId } from '../platform/ids.ts'
import { isRefusal, Refusal } from '../platform/refusal.ts'
import type { PreparedPassword } from '../providers/identity/identity.ts'
import type { Code } from '../store/action-codes.ts'
import type { User } from '../store/users.ts'
import {
  consumeCode,
  findCode,
  mailCode,
  refuseReserved,
  toVerifiedAccount,
} from './action-codes.ts'
import { claim, takeOver } from './claims.ts'
import {
  changePassword,
  endFormerAccess,
  markEmailVerified,
  unlinkAll,
  unlinkUnverified,
} from './credentials.ts'
import { rememberDevice } from './devices.ts'
import { stopFactorRemoval } from './factors.ts'
import { accountOf, findDevice, forgetGuesses } from './guessing.ts'
import { addAccount, nameFrom } from './new-accounts.ts'
import { endResolver, needsSecondStep, tryChallenge } from './resolvers.ts'
import { guardSecondStep, hasStep, passSecondStep } from './second-step.ts'
import { requireRow } from './sessions.ts'
import { giveBack, restoreAccount, setEmail } from './ways-back.ts'

export const actionCodeCalls = {
  async sendVerificationEmail({ user, visit }, services) {
    await services.rateLimits.consume(['verificationByAccount', user.uid])
    if (user.claimed) throw new Refusal('alreadyVerified')
    const row = await requireRow(user, services)
    const refusal = await mailCode(row, 'verifyEmail', {}, services, { sender: visit.network })
    if (refusal) throw refusal
    return {}
  },

  /** Neither the answer nor its timing shows whether the address has an account or gets a mail. */
  async sendPasswordResetEmail({ input: { email }, visit }, services) {
    const device = await findDevice(email, visit, services)
    const from = { network: visit.network, isKnown: device !== undefined }
    if (await isWithinLimits(email, device, visit, services))
      await services.jobs.add('mailPasswordReset', { email, ...from })
    return {}
  },

  async checkActionCode({ input, visit }, services) {
    const { store, now } = services
    const { code, user } = await findCode(input.oobCode, visit, services)
    const { mode, email } = code
    if (mode === 'verifyAndChangeEmail') return { mode, email: user.email, newEmail: email }
    if (mode !== 'resetPassword') return { mode, email }
    // A reset removes all providers of an unclaimed account.
    const links = user.claimed ? await store.providerLinks.listOf(user.id) : []
    const providers = links.map((link) => link.provider)
    const wayBack = await store.actionCodes.findWayBack(user.id, now())
    return {
      mode,
      email,
      ...(providers.length > 0 && { providers }),
      ...(wayBack && { addressChanged: wayBack.createdAt.toISOString() }),
    }
  },

  async applyActionCode({ input: { oobCode }, user: caller, visit }, services) {
    const { code } = await findCode(oobCode, visit, services, { owner: caller?.uid })
    const apply = applied[code.mode]
    if (!apply) throw new Refusal('auth/invalid-action-code')
    const isOwn = caller?.uid === code.userId
    // Credential changes and deletions lock the user's row first too, and may end the code.
    const [user] = await Promise.all([
      services.store.users.lock(code.userId),
      // The account's user may claim it by a link that somebody else has used.
      !(isOwn && code.mode === 'verifyEmail') && consumeCode(oobCode, code, services),
    ])
    if (!user) throw new Refusal('auth/invalid-action-code')
    return apply({ user, code, isOwn }, services)
  },

  async confirmPasswordReset({ input, visit }, services) {
    const {
      oobCode,
      newPassword,
      unlinkProviders,
      wasMine,
      code: oneTimeCode,
      recoveryCode,
      credential,
      resolver,
    } = input
    const step = { code: oneTimeCode, recoveryCode, credential }
    const isStep = hasStep(step)
    const found = await findCode(oobCode, visit, services, { mode: 'resetPassword' })
    const { code } = found
    const password = await services.identity.preparePassword(newPassword, {
      email: found.user.email,
      caller: visit.network,
    })
    const newUser = { id: newId(), password }
    const challenge = credential && (await tryChallenge(credential, visit, services))
    if (resolver !== undefined && resolver !== challenge) throw new Refusal('auth/resolver-expired')
    const reset = () =>
      services.transaction(async (services) => {
        const [user] = await Promise.all([
          services.store.users.lock(code.userId),
          consumeCode(oobCode, code, services),
        ])
        if (!user) throw new Refusal('auth/invalid-action-code')
        const isNotMine = wasMine === false && user.email === code.email
        if (isNotMine && (await giveBack(user, services)))
          return startAfresh(user, newUser, services)
        if (user.hasSecondStep && !isStep) throw new Refusal(needed)
        if (challenge) await endResolver(challenge, services)
        if (user.hasSecondStep) await passSecondStep(user, step, { challenge }, services)
        const given = { password, unlinkProviders: unlinkProviders || isNotMine }
        return resetPassword(user, code, given, services)
      })
    const ask = async (error: unknown) => {
      throw isRefusal(error, needed) ? await needsSecondStep(found.user, visit, services) : error
    }
    const user = await (isStep
      ? guardSecondStep(found.user, step, visit, services, reset, { byMail: true })
      : reset().catch(ask))
    rememberDevice(user, visit, services)
    await forgetGuesses(user, visit, services)
    return {}
  },
} satisfies Partial<Handlers>

async function isWithinLimits(
  email: string,
  device: string | undefined,
  { network }: Visit,
  services: Services,
) {
  const account = accountOf(email, services)
  const tries: Try[] =
    device === undefined
      ? [
          ['resetByNetwork', network],
          ['resetByAccountAndNetwork', `${account} ${network}`],
          ['resetByAccount', account],
        ]
      : [['resetByDevice', `${account} ${device}`]]
  return !(await limitReached(services.rateLimits.consume(...tries)))
}

const needed = 'auth/multi-factor-auth-required'

type NewPassword = { password: PreparedPassword; unlinkProviders: boolean | undefined }

/** Claims the account if the link was mailed to its present address. */
async function resetPassword(
  former: User,
  code: Code,
  { password, unlinkProviders }: NewPassword,
  services: Services,
) {
  const isOfAddress = code.email === former.email
  const user = await (isOfAddress && !former.claimed
    ? takeOver(former, services, { keepsFactors: former.hasSecondStep })
    : endFormerAccess(former.id, services))
  await Promise.all([
    unlinkProviders && unlinkAll(user, services),
    changePassword(user, password, services),
  ])
  return user
}

/** Gives the address, which has just become free, an account of its own. */
async function startAfresh(
  { email, language }: User,
  newUser: { id: string; password: PreparedPassword },
  services: Services,
) {
  const displayName = nameFrom(email)
  const account = { ...newUser, email, emailVerified: true, displayName, language }
  const user = await addAccount(account, services)
  if (!user) throw new Refusal('auth/email-already-in-use')
  return user
}

type Use = { user: User; code: Code; isOwn: boolean }
type Apply = (use: Use, services: Services) => Promise<CallOutput<'applyActionCode'>>

/** What each link does. `resetPassword` needs a new password: see `confirmPasswordReset`. */
const applied: Record<string, Apply> = {
  async verifyEmail({ user, code, isOwn }, services) {
    // A link mailed to a former address proves nothing about the account's present address.
    if (code.email !== user.email) throw new Refusal('auth/invalid-action-code')
    if (isOwn) {
      const [claimed] = await Promise.all([
        claim(user, services),
        services.store.actionCodes.endAllOf(user.id, ['verifyEmail'], services.now()),
      ])
      return { account: toVerifiedAccount(claimed) }
    }
    const [unlinked] = await Promise.all([
      // Another person may have linked them.
      user.claimed ? [] : unlinkUnverified(user, services),
      markEmailVerified(user.id, services),
    ])
    return { account: toVerifiedAccount(user), ...(unlinked.length > 0 && { unlinked }) }
  },

  /** The link may be opened by the address's owner, who has nothing to do with the account. */
  async verifyAndChangeEmail({ user, code: { email }, isOwn }, services) {
    const { store, now } = services
    const reason = 'auth/email-already-in-use'
    await refuseReserved({ email, reason, except: user.id }, services)
    await setEmail(user, { email, emailVerified: true, claimed: isOwn }, services)
    const isNeeded = () => true
    await Promise.all([
      store.actionCodes.endAllOf(user.id, ['resetPassword'], now()),
      mailCode(user, 'recoverEmail', { newEmail: email }, services, { isNeeded }),
    ])
    return {}
  },

  async keepFactors({ user }, services) {
    if (!(await stopFactorRemoval(user, services))) throw new Refusal('auth/invalid-action-code')
    return {}
  },

  recoverEmail: applyRestore,
  secureAccount: applyRestore,
}

async function applyRestore({ user, code }: Use, services: Services) {
  await restoreAccount(user, code, services)
  return {}
}
