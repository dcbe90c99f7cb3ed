import { findCode } from './action-codes.ts'
import { handle } from '../core/handle.ts'

export const checkActionCode = handle(
  'checkActionCode',
  async ({ input: { oobCode }, visit }, services) => {
    const { code, user } = await services.attempts.countFailed(
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
