import { endAccount } from './account-deletion.ts'
import { findVerification } from './action-codes.ts'
import { handle } from '../core/handle.ts'
import { Refusal } from '../platform/refusal.ts'

/** Somebody made an account with an address that is not theirs: the person it belongs to has the link, and ends the account with it. */
export const rejectVerification = handle(
  'rejectVerification',
  async ({ input: { oobCode }, visit }, services) => {
    const find = () => findVerification(oobCode, services)
    const { user } = await services.attempts.countFailed('codesByNetwork', visit.network, find)
    if (!(await endAccount(user.id, services))) throw new Refusal('auth/invalid-action-code')
    return {}
  },
)
