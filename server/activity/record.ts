import type { RecordedKind } from '#contract/activity.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../core/services.ts'

/** The columns of the table `users` that an entry needs. */
export type Person = { id: string; displayName: string }
type Actor =
  | Person
  | { uid: string; displayName: string; accessToken?: { name: string } | undefined }
/** A person who runs the product. They need no account here, and the log keeps their name. */
export type Operator = { operator: string }
/** Who may change a project: a person, or an operator. */
export type Requester = Actor | Operator

type Entry = {
  /** Missing if nobody did it, as when an unpaid subscription ends. */
  by?: Requester | undefined
  /** The person it was done to, or the e-mail address of a person without an account. */
  to?: Actor | { id: string } | string | undefined
  /** The subscription's id; missing for an entry about an account. */
  in?: string
  details?: Record<string, string | string[]>
}

/** Adds an entry to the activity log. Callers run it in the transaction of the change. */
export async function record(
  kind: RecordedKind,
  { by, to, in: subscriptionId, details = {} }: Entry,
  services: Services,
) {
  const isAddress = typeof to === 'string'
  const actor = by && !isOperator(by) ? by : undefined
  const operator = by && isOperator(by) ? by : {}
  // What a program does is done by its token's maker.
  const token = actor && 'accessToken' in actor && actor.accessToken
  const entry = {
    at: services.now(),
    kind,
    actorId: idOf(actor),
    actorName: actor?.displayName,
    subjectId: isAddress ? undefined : idOf(to),
    details: { ...details, ...operator, ...(token && { token: token.name }) },
  }
  await Promise.all([
    services.store.activity.add({
      ...entry,
      subscriptionId,
      subject: isAddress ? to : to && 'displayName' in to ? to.displayName : undefined,
      details: JSON.stringify(entry.details),
    }),
    ...services.modules.hooks.map(
      ([, { recorded }]) =>
        subscriptionId !== undefined && recorded?.({ ...entry, subscriptionId }, services),
    ),
  ])
}

export function isOperator(by: object): by is Operator {
  return 'operator' in by
}

/** How `requested_by` names a person or an operator. No id of a person has a space. */
export function requesterId(by: Requester) {
  return isOperator(by) ? `operator ${by.operator}` : idOf(by)!
}

/** The person or operator of `requested_by`; undefined for null, and if the account is deleted. */
export async function findRequester(
  id: string | null,
  services: Pick<Services, 'store'>,
): Promise<Requester | undefined> {
  const [, operator] = id?.match(/^operator (.+)$/s) ?? []
  return operator === undefined ? findPerson(id, services) : { operator }
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
