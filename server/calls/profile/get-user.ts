import { handle } from '../../handle.ts'

export const getUser = handle('getUser', async ({ user: { uid } }, { store, identity }) => {
  const user = (await store.users.find(uid))!
  const links = await store.providerLinks.listOf(uid)
  return {
    user: {
      id: user.id,
      create_time: user.createdAt.toISOString(),
      display_name: user.displayName,
      avatar_url: user.avatarUrl,
      language: user.language,
      last_updated: user.updatedAt.toISOString(),
      has_password: await identity.hasPassword(uid),
      providers: links.map(({ provider }) => provider),
    },
  }
})
