import type { PermissionKey } from '#config/permissions.ts'
import { limits } from '#config/limits.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import type { CallError } from './post.ts'

const pageSize = limits.pages.sizes.at(-1)!

/** All members of a project with at least one of the permissions, from as many pages as needed. */
export function useHolders(
  permissions: PermissionKey[],
  subscriptionId: string,
  { enabled }: { enabled: boolean },
) {
  return useQuery<SubscriptionUser[], CallError>({
    queryKey: ['getSubscriptionUsers', { subscriptionId, permissions }],
    async queryFn({ signal }) {
      const found = new Map<string, SubscriptionUser>()
      for (const permission of permissions) {
        for (let page = 1, isLast = false; !isLast; page++) {
          const input = { subscriptionId, permission, page, pageSize }
          const { users, total } = await call('getSubscriptionUsers', input, { signal })
          for (const user of users) found.set(user.id, user)
          isLast = users.length === 0 || page * pageSize >= total
        }
      }
      return [...found.values()]
    },
    enabled,
  })
}
