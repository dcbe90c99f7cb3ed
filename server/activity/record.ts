import type { ActivityKind } from '#contract/activity.ts'
import { isDeepStrictEqual } from 'node:util'
import type { CurrentUser, Services } from '../core/services.ts'
import type { User } from '../store/users.ts'

export type Person = { id: string; name: string }
type AnyPerson =
  | Person
  | Pick<User, 'id' | 'displayName'>
  | Pick<CurrentUser, 'uid' | 'displayName'>

type Entry = {
  /** Missing for what happens by itself. */
  by?: AnyPerson | undefined
  /** The person it was done to, or the e-mail address of one without an account. */
  to?: AnyPerson | string | undefined
  /** The subscription; missing for what is about an account. */
  in?: string
  details?: Record<string, string | string[]>
}

/** Writes an entry of the activity log. Runs in the transaction of the change. */
export async function record(
  kind: ActivityKind,
  { by, to, in: subscriptionId, details = {} }: Entry,
  { store, now }: Pick<Services, 'store' | 'now'>,
) {
  const actor = by && toPerson(by)
  const subject = typeof to === 'string' ? { id: null, name: to } : to && toPerson(to)
  await store.activity.add([
    {
      at: now(),
      kind,
      subscriptionId: subscriptionId ?? null,
      actorId: actor?.id ?? null,
      actorName: actor?.name ?? null,
      subjectId: subject?.id ?? null,
      subject: subject?.name ?? null,
      details,
    },
  ])
}

function toPerson(person: AnyPerson): Person {
  return {
    id: 'uid' in person ? person.uid : person.id,
    name: 'name' in person ? person.name : person.displayName,
  }
}

/** The person with this id; undefined without an id or an account. */
export async function findPerson(id: string | null, { store }: Pick<Services, 'store'>) {
  const user = id === null ? undefined : await store.users.find(id)
  return user && toPerson(user)
}

/** The keys whose given value differs from the one before. All empty values count as equal. */
export function changedFields(before: Record<string, unknown>, given: Record<string, unknown>) {
  return Object.keys(given).filter((key) => {
    const [old, now] = [before[key], given[key]]
    return now !== undefined && !(isEmpty(old) && isEmpty(now)) && !isDeepStrictEqual(old, now)
  })
}

function isEmpty(value: unknown) {
  return value === undefined || value === null || value === '' || value === false
}
