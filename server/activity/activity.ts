import type { ActivityKind } from '#contract/activity.ts'
import { isDeepStrictEqual } from 'node:util'
import type { CurrentUser } from '../core/handle.ts'
import type { Services } from '../core/services.ts'
import type { User } from '../store/users.ts'

export type Person = { id: string; name: string }

/** Missing: `by` for what happens by itself, `in` for what is about an account. A subject without an account is an e-mail address. */
type Deed = {
  by?: Person | undefined
  to?: Person | string
  in?: string
  details?: Record<string, string | string[]>
}

type Tools = Pick<Services, 'store' | 'now'>

/** Keeps what somebody did. Meant for the transaction that does it: rolled back, it never was. */
export async function record(
  kind: ActivityKind,
  { by, to, in: subscriptionId, details = {} }: Deed,
  { store, now }: Tools,
) {
  const subject =
    typeof to === 'string' ? { subject: to } : to && { subjectId: to.id, subject: to.name }
  await store.activity.add([
    {
      at: now(),
      kind,
      subscriptionId: subscriptionId ?? null,
      actorId: by?.id ?? null,
      actorName: by?.name ?? null,
      ...subject,
      details,
    },
  ])
}

export function person(
  user: { uid: string; displayName: string } | Pick<User, 'id' | 'displayName'>,
): Person {
  return { id: 'uid' in user ? user.uid : user.id, name: user.displayName }
}

/** Somebody of whom only the id is at hand; nothing if there is nobody. */
export async function findPerson(id: string | null, { store }: Pick<Services, 'store'>) {
  const user = id === null ? undefined : await store.users.find(id)
  return user && person(user)
}

export async function recordName(user: CurrentUser, name: string, services: Tools) {
  if (name !== user.displayName)
    await record(
      'nameChanged',
      { by: { id: user.uid, name }, details: { from: user.displayName, to: name } },
      services,
    )
}

/** What was given and is not as it was before. Nothing is the same in whatever way it is written. */
export function changedFields(before: Record<string, unknown>, given: Record<string, unknown>) {
  return Object.keys(given).filter((key) => {
    const [old, now] = [before[key], given[key]]
    return now !== undefined && !(isNothing(old) && isNothing(now)) && !isDeepStrictEqual(old, now)
  })
}

function isNothing(value: unknown) {
  return value === undefined || value === null || value === '' || value === false
}
