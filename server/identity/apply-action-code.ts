import type { CallOutput } from '#contract/calls.ts'
import { lockDown, markEmailVerified, unlinkUnverified } from './account-security.ts'
import {
  consumeCode,
  findCode,
  mailRecovery,
  toVerifiedAccount,
  undoing,
} from './action-codes.ts'
import { person, record } from '../activity/activity.ts'
import { changeContacts } from '../billing/customer.ts'
import { handle, type CurrentUser } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { Code } from '../store/action-codes.ts'
import type { User } from '../store/users.ts'

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
    const { code } = await services.attempts.countFailed('codesByNetwork', visit.network, find)
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
  await changeContacts(user.id, services)
}
