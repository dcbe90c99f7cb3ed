import type { CallOutput } from '#contract/calls.ts'
import { person, record } from '../activity/activity.ts'
import { handle, type CurrentUser, type Visit } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Code } from '../store/action-codes.ts'
import type { User } from '../store/users.ts'
import { endAccount } from './account-deletion.ts'
import {
  endFormerAccess,
  lockDown,
  markEmailVerified,
  requireRecentSignIn,
  unlinkAll,
  unlinkUnverified,
} from './account-security.ts'
import {
  consumeCode,
  findCode,
  findVerification,
  mailEmailChange,
  mailRecovery,
  mailSecurityNotice,
  mailVerification,
  toVerifiedAccount,
  undoing,
} from './action-codes.ts'
import { rememberDevice } from './devices.ts'
import { accountOf, findDevice, forgetGuesses } from './guessing.ts'
import { holdSession, rowOf } from './sessions.ts'

export const sendVerificationEmail = handle('sendVerificationEmail', async ({ user }, services) => {
  await services.rateLimits.consume('verificationByAccount', user.uid)
  if (user.emailVerified) throw new Refusal('alreadyVerified')
  await mailVerification(await rowOf(user, services), services)
  return {}
})

/** Answers alike, and as soon, whether there is an account, and whether a mail is sent. */
export const sendPasswordResetEmail = handle(
  'sendPasswordResetEmail',
  async ({ input: { email }, visit }, services) => {
    if (await isWithinLimits(email, visit, services))
      await services.jobs.add('mailPasswordReset', { email })
    return {}
  },
)

async function isWithinLimits(email: string, visit: Visit, services: Services) {
  const { rateLimits } = services
  const account = accountOf(email, services)
  const device = await findDevice(email, visit, services)
  if (device !== undefined) return rateLimits.tryConsume('resetByDevice', `${account} ${device}`)
  return (
    (await rateLimits.tryConsume('resetByNetwork', visit.network)) &&
    (await rateLimits.tryConsume('resetByAccountAndNetwork', `${account} ${visit.network}`)) &&
    rateLimits.tryConsume('resetByAccount', account)
  )
}

export const checkActionCode = handle(
  'checkActionCode',
  async ({ input: { oobCode }, visit }, services) => {
    const { code, user } = await services.rateLimits.limitFailures(
      'codesByNetwork',
      visit.network,
      () => findCode(oobCode, services),
    )
    if (code.mode === 'verifyAndChangeEmail')
      return { mode: code.mode, email: user.email, newEmail: code.email }
    const links =
      code.mode === 'resetPassword' ? await services.store.providerLinks.listOf(user.id) : []
    const providers = links
      .filter((link) => !link.attachedUnverified)
      .map(({ provider }) => provider)
    return { mode: code.mode, email: code.email, ...(providers.length > 0 && { providers }) }
  },
)

type Use = { user: User; code: Code; caller: CurrentUser | undefined }
type Apply = (use: Use, services: Services) => Promise<CallOutput<'applyActionCode'>>

/** What each mailed link does when it is used. A new password comes with `confirmPasswordReset` instead. */
const applied: Record<string, Apply> = {
  async verifyEmail({ user, code, caller }, services) {
    // A link that went to an address the account no longer has proves nothing about the present one.
    if (code.email !== user.email) throw new Refusal('auth/invalid-action-code')
    await markEmailVerified(user.id, services)
    // The person who reads the mail and is signed in to the account has linked these providers; else somebody else may have.
    const isOwn = caller?.uid === user.id
    if (isOwn) await services.store.providerLinks.markVerifiedOf(user.id)
    const unlinked = isOwn ? [] : await unlinkUnverified(user, services)
    return { account: toVerifiedAccount(user), ...(unlinked.length > 0 && { unlinked }) }
  },

  async verifyAndChangeEmail({ user, code }, services) {
    await setEmail(user, code.email, services)
    await services.store.actionCodes.endAllOf(
      user.id,
      ['verifyEmail', 'resetPassword'],
      services.now(),
    )
    await mailRecovery(user, code.email, services)
    return {}
  },

  recoverEmail: takeBack,
  secureAccount: takeBack,
}

/** The account goes back to the address that the link was sent to, and nobody gets in before its owner has chosen a new password. */
async function takeBack({ user, code }: Use, services: Services) {
  if (code.email !== user.email) await setEmail(user, code.email, services)
  await services.store.actionCodes.endAllOf(user.id, undoing, services.now(), {
    since: code.createdAt,
  })
  await lockDown({ ...user, email: code.email }, services)
  return {}
}

export const applyActionCode = handle(
  'applyActionCode',
  async ({ input: { oobCode }, user: caller, visit }, services) => {
    const find = () => findCode(oobCode, services)
    const { code } = await services.rateLimits.limitFailures('codesByNetwork', visit.network, find)
    const apply = applied[code.mode]
    if (!apply) throw new Refusal('auth/invalid-action-code')
    // Before the code's own row: a change of credentials or a deletion that is under way goes first, and may end the code.
    const user = await services.store.users.lock(code.userId)
    if (!user) throw new Refusal('auth/invalid-action-code')
    await consumeCode(oobCode, code, services)
    return apply({ user, code, caller }, services)
  },
)

async function setEmail(user: User, email: string, services: Services) {
  const { store, identity, now } = services
  if (!(await store.users.setEmail(user.id, email, now())))
    throw new Refusal('auth/email-already-in-use')
  await identity.updateUser(user.id, { email, emailVerified: true })
  await record(
    'emailChanged',
    { by: person(user), details: { from: user.email, to: email } },
    services,
  )
  await services.jobs.add('updateContacts', { ownerId: user.id })
}

/** Somebody made an account with an address that is not theirs: the person it belongs to has the link, and ends the account with it. */
export const rejectVerification = handle(
  'rejectVerification',
  async ({ input: { oobCode }, visit }, services) => {
    const find = () => findVerification(oobCode, services)
    const { user } = await services.rateLimits.limitFailures('codesByNetwork', visit.network, find)
    if (!(await endAccount(user.id, services))) throw new Refusal('auth/invalid-action-code')
    return {}
  },
)

export const confirmPasswordReset = handle(
  'confirmPasswordReset',
  async ({ input, visit }, services) => {
    const { oobCode, newPassword, unlinkProviders } = input
    const find = () => findCode(oobCode, services, 'resetPassword')
    const { code, user: holder } = await services.rateLimits.limitFailures(
      'codesByNetwork',
      visit.network,
      find,
    )
    const password = await services.identity.preparePassword(newPassword, {
      email: holder.email,
      caller: visit.network,
    })
    const user = await services.transaction(async (services) => {
      const { store, identity, now } = services
      await store.users.lock(code.userId)
      await consumeCode(oobCode, code, services)
      const user = await endFormerAccess(code.userId, services)
      // The link went to this address, so it is theirs.
      const verified = code.email === user.email
      if (verified) await store.users.verifyEmail(user.id, now())
      await identity.updateUser(user.id, { password, ...(verified && { emailVerified: true }) })
      await (unlinkProviders ? unlinkAll(user, services) : unlinkUnverified(user, services))
      await record('passwordChanged', { by: person(user) }, services)
      await mailSecurityNotice(user, { kind: 'passwordChanged' }, services)
      return user
    })
    rememberDevice(user, visit, services)
    await forgetGuesses(user.email, visit, services)
    return {}
  },
)

export const updateEmail = handle(
  'updateEmail',
  async ({ input: { newEmail }, user }, services) => {
    if (!user.emailVerified) throw new Refusal('auth/operation-not-allowed')
    requireRecentSignIn(user, services)
    await services.rateLimits.consume('emailChangeByAccount', user.uid)
    if (await services.store.users.findByEmail(newEmail))
      throw new Refusal('auth/email-already-in-use')
    await services.transaction(async (services) => {
      const row = await holdSession(user, services)
      await mailEmailChange(row, newEmail, user.session.id, services)
      await mailSecurityNotice(row, { kind: 'emailChangeRequested', newEmail }, services)
    })
    return {}
  },
)

export const updatePassword = handle(
  'updatePassword',
  async ({ input: { newPassword }, user, visit }, services) => {
    requireRecentSignIn(user, services)
    await services.rateLimits.consume('passwordChangeBySession', user.session.id)
    const password = await services.identity.preparePassword(newPassword, {
      email: user.email,
      caller: user.uid,
    })
    const row = await services.transaction(async (services) => {
      const { identity } = services
      const row = await endFormerAccess(user.uid, services, { keepSession: user.session.id })
      await identity.updateUser(user.uid, { password })
      await record('passwordChanged', { by: person(user) }, services)
      await mailSecurityNotice(row, { kind: 'passwordChanged' }, services)
      return row
    })
    rememberDevice(row, visit, services)
    return {}
  },
)

export const deleteAccount = handle(
  'deleteAccount',
  async ({ input: { confirmationId }, user, visit }, services) => {
    if (confirmationId !== user.uid) throw new Refusal('confirmationMismatch')
    requireRecentSignIn(user, services)
    const isDone = await services.transaction((services) =>
      endAccount(user.uid, services, { owner: user }),
    )
    if (!isDone) throw new Refusal('sessionEnded')
    visit.forgetRefreshToken()
    return {}
  },
)
