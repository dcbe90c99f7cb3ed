import { handle } from '../../handle.ts'

export const getUser = handle('getUser', async ({ user: { uid } }, { store }) => {
  const user = (await store.users.find(uid))!
  return {
    user: {
      id: user.id,
      create_time: user.createdAt.toISOString(),
      display_name: user.displayName,
      avatar_url: user.avatarUrl,
      language: user.language,
      last_updated: user.updatedAt.toISOString(),
    },
  }
})
