import { handle } from '../core/handle.ts'
import { rowOf } from '../identity/sessions.ts'

export const getUser = handle('getUser', async ({ user: current }, { store, identity }) => {
  const user = await rowOf(current, { store })
  const links = await store.providerLinks.listOf(user.id)
  return {
    user: {
      id: user.id,
      create_time: user.createdAt.toISOString(),
      display_name: user.displayName,
      avatar_url: user.avatarUrl,
      language: user.language,
      last_updated: user.updatedAt.toISOString(),
      has_password: await identity.hasPassword(user.id),
      providers: links.map(({ provider }) => provider),
    },
  }
})
