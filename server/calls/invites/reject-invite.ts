import { handle } from '../../handle.ts'
import { inviteFor } from '../../invites.ts'
import { Refusal } from '../../refusal.ts'

export const rejectInvite = handle('rejectInvite', async ({ input: { inviteId }, user }, { store, now }) => {
  await inviteFor(user, inviteId, store)
  if (!(await store.invites.end(inviteId, 'rejected', now()))) throw new Refusal('inviteNotPending')
  return {}
})
