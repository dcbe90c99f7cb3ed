import type { PermissionKey } from '#config/permissions.ts'
import { limits } from '#config/limits.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import type { CallError } from './post.ts'

const pageSize = limits.pages.sizes[limits.pages.sizes.length - 1]!

/** Everybody in a project who holds one of the permissions, however many pages that takes. */
export function useHolders(
  permissions: PermissionKey[],
  subscriptionId: string,
  { enabled }: { enabled: boolean },
) {
  return useQuery<SubscriptionUser[], CallError>({
    queryKey: ['getSubscriptionUsers', { subscriptionId, permissions }],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        permissions.map((permission) => list(subscriptionId, permission, signal)),
      )
      return [...new Map(lists.flat().map((user) => [user.id, user])).values()]
    },
    enabled,
  })
}

async function list(subscriptionId: string, permission: PermissionKey, signal: AbortSignal) {
  const found: SubscriptionUser[] = []
  for (let page = 1; ; page++) {
    const { users, total } = await call(
      'getSubscriptionUsers',
      { subscriptionId, permission, page, pageSize },
      { signal },
    )
    found.push(...users)
    if (users.length === 0 || page * pageSize >= total) return found
  }
}
