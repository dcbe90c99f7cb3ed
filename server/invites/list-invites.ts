import { handle } from '../core/handle.ts'

export const listInvites = handle('listInvites', async ({ user }, { store, now }) => ({
  invites: user.emailVerified ? await store.invites.listOpenFor(user.email, now()) : [],
}))
