import { handle } from '../../handle.ts'

export const saveUser = handle('saveUser', async ({ input: { display_name, language }, user }, { store, identity, now }) => {
  await store.users.update(user.uid, { ...(display_name && { displayName: display_name }), ...(language && { language }) }, now())
  if (display_name) await identity.updateUser(user.uid, { displayName: display_name })
  return {}
})
