import { missing } from '../rules/errors.ts'
import type { Stored, StoredObjects, StoredType } from '../objects/wire.ts'
import { dueAt } from '../objects/due-at.ts'
import type { Runner, Tx } from './tx.ts'

export async function findObject(runner: Runner, id: string): Promise<Stored | undefined> {
  const { rows } = await runner.query<{ body: Stored }>(
    'select body from sandbox.objects where id = $1',
    [id],
  )
  return rows[0]?.body
}

/** Reads an object, or throws Stripe's error "No such …" about the parameter. */
export async function requireObject<T extends StoredType>(
  tx: Runner,
  type: T,
  id: string,
  param?: string,
): Promise<StoredObjects[T]> {
  return present(type, await findObject(tx, id), id, param)
}

/** Reads an object to change it, after locking its customer: a customer's changes take turns. */
export async function lockObject<T extends StoredType>(
  tx: Tx,
  type: T,
  id: string,
  param?: string,
): Promise<StoredObjects[T]> {
  await tx.query(
    'select 1 from sandbox.objects where id = (select customer from sandbox.objects where id = $1) for update',
    [id],
  )
  const { rows } = await tx.query<{ body: Stored }>(
    'select body from sandbox.objects where id = $1 for update',
    [id],
  )
  return present(type, rows[0]?.body, id, param)
}

function present<T extends StoredType>(
  type: T,
  object: Stored | undefined,
  id: string,
  param?: string,
): StoredObjects[T] {
  if (object?.object !== type || 'deleted' in object) throw missing(type, id, param)
  return object as StoredObjects[T]
}

export async function save<T extends Stored>(tx: Tx, object: T): Promise<T> {
  await tx.query(
    `insert into sandbox.objects (id, body, due_at) values ($1, $2, $3)
     on conflict (id) do update set body = excluded.body, due_at = excluded.due_at`,
    [object.id, JSON.stringify(object), dueAt(object)],
  )
  return object
}

/** Replaces an object by a row that says that it was deleted. */
export async function remove<T extends Stored>(tx: Tx, { id, object }: T) {
  const deleted = { id, object, deleted: true as const }
  await save(tx, deleted as unknown as Stored)
  return deleted
}

/** The objects of one type, newest first. `values` begin at the parameter `$2` of the condition. */
export async function objectsWhere<T extends StoredType>(
  runner: Runner,
  type: T,
  condition: string,
  values: unknown[] = [],
): Promise<StoredObjects[T][]> {
  const { rows } = await runner.query<{ body: StoredObjects[T] }>(
    `select body from sandbox.objects where type = $1 and ${condition} order by seq desc`,
    [type, ...values],
  )
  return rows.map(({ body }) => body)
}

export function ofCustomer<T extends StoredType>(runner: Runner, type: T, customer: string) {
  return objectsWhere(runner, type, 'customer = $2', [customer])
}

export function invoicesOf(runner: Runner, subscription: string) {
  return objectsWhere(runner, 'invoice', 'subscription = $2', [subscription])
}
