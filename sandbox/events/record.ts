import { shown } from '../api/shown.ts'
import { newEvent } from '../objects/event.ts'
import type { EventType, Stored } from '../objects/wire.ts'
import { save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'

/** Stores an event in the transaction of its change. Delivery follows the commit. */
export async function record(tx: Tx, type: EventType, object: Stored, before?: Stored) {
  const data = before
    ? { object: shown(object), previous_attributes: changedFrom(shown(before), shown(object)) }
    : { object: shown(object) }
  const event = await save(tx, newEvent(type, data, tx.request, tx.now))
  await tx.query(
    `insert into sandbox.deliveries (event, next_attempt_at)
     select $1, case when settings#>>'{webhooks,mode}' = 'drop' then null else $2::bigint end from sandbox.control`,
    [event.id, tx.now],
  )
}

/** Saves an object and records an event about it, which does not tell what has changed. */
export async function publish<T extends Stored>(tx: Tx, type: EventType, object: T): Promise<T> {
  await save(tx, object)
  await record(tx, type, object)
  return object
}

/** Changes fields of an object and records an event. Does nothing if the object stays the same. */
export async function change<T extends Stored>(
  tx: Tx,
  type: EventType,
  before: T,
  fields: Partial<T>,
): Promise<T> {
  const after = { ...before, ...fields }
  if (JSON.stringify(before) === JSON.stringify(after)) return after
  await save(tx, after)
  await record(tx, type, after, before)
  return after
}

function changedFrom(before: Record<string, unknown>, after: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(before).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(after[key]),
    ),
  )
}
