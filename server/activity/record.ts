import type { ActivityKind } from '#contract/activity.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../core/services.ts'

/** The columns of the table `users` that an entry needs. */
export type Person = { id: string; displayName: string }
type Actor = Person | { uid: string; displayName: string }

type Entry = {
  /** Missing if nobody did it, as when an unpaid subscription ends. */
  by?: Actor | undefined
  /** The person it was done to, or the e-mail address of a person without an account. */
  to?: Actor | { id: string } | string | undefined
  /** The subscription's id; missing for an entry about an account. */
  in?: string
  details?: Record<string, string | string[]>
}

/** Adds an entry to the activity log. Callers run it in the transaction of the change. */
export async function record(
  kind: ActivityKind,
  { by, to, in: subscriptionId, details = {} }: Entry,
  { store, now }: Pick<Services, 'store' | 'now'>,
) {
  const isAddress = typeof to === 'string'
  await store.activity.add({
    at: now(),
    kind,
    subscriptionId,
    actorId: idOf(by),
    actorName: by?.displayName,
    subjectId: isAddress ? undefined : idOf(to),
    subject: isAddress ? to : to && 'displayName' in to ? to.displayName : undefined,
    details: JSON.stringify(details),
  })
}

function idOf(person: Actor | { id: string } | undefined) {
  return person && ('uid' in person ? person.uid : person.id)
}

/** The user with this id; undefined for null, and if the account is deleted. */
export async function findPerson(id: string | null, { store }: Pick<Services, 'store'>) {
  return id === null ? undefined : store.users.find(id)
}

/** The keys of `given` whose value differs from `before`. All empty values count as equal. */
export function changedFields(before: Record<string, unknown>, given: Record<string, unknown>) {
  return Object.keys(given).filter((key) => {
    const [old, now] = [before[key], given[key]]
    return now !== undefined && !(isEmpty(old) && isEmpty(now)) && !isDeepStrictEqual(old, now)
  })
}

function isEmpty(value: unknown) {
  return value === undefined || value === null || value === '' || value === false
}
