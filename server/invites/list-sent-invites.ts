import { adminPermissions } from '#contract/access.ts'
import { handle } from '../core/handle.ts'

export const listSentInvites = handle('listSentInvites', async ({ user }, { store, now }) => {
  const sent = await store.invites.listOpenSentBy(user.uid, now())
  return {
    invites: sent
      .filter(({ held }) => !adminPermissions.some((key) => held.includes(key)))
      .map(({ invite }) => invite),
  }
})
