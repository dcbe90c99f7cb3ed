import { z } from 'zod'
import type { List, StoredObjects, StoredType } from '../objects/wire.ts'
import { requireObject } from '../store/objects.ts'
import type { Runner, Tx } from '../store/tx.ts'
import { missing } from '../rules/errors.ts'
import { text, whole } from './params.ts'
import { route, type Route } from './route.ts'

const range = z.strictObject({
  gt: whole.optional(),
  gte: whole.optional(),
  lt: whole.optional(),
  lte: whole.optional(),
})

export const pageParams = {
  limit: whole.pipe(z.number().min(1).max(100)).optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: z.union([whole, range]).optional(),
}

type Asked = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
  created?: number | z.output<typeof range> | undefined
}
type Given = Record<string, unknown>
/** A parameter to filter a list by: that of a field, or one with a condition on the columns. */
type Filter = z.ZodType | { of: z.ZodType; where: (value: string, tx: Tx) => string }

type Filters = Record<string, Filter>

/** The API calls that list and retrieve the objects of one type. */
export function reading(
  type: StoredType,
  path: string,
  filters?: Filters,
  completed?: (given: Given) => Given,
): Route[] {
  return [
    listing(type, path, filters, completed),
    route('GET', `${path}/:id`, {}, ({ tx, id }) => requireObject(tx, type, id)),
  ]
}

/** The call that lists objects. `completed` adds what the filters are if they are not given. */
export function listing(
  type: StoredType,
  path: string,
  filters: Filters = {},
  completed = (given: Given) => given,
): Route {
  const types = Object.entries(filters).map(([name, filter]) => [
    name,
    ('of' in filter ? filter.of : filter).optional(),
  ])
  const shape = { ...pageParams, ...(Object.fromEntries(types) as Record<string, z.ZodType>) }
  return route('GET', path, shape, ({ tx, input }) =>
    page(tx, type, `/v1${path}`, completed(input), filters),
  )
}

/** A page of the objects of one type, newest first. */
export async function page<T extends StoredType>(
  tx: Tx,
  type: T,
  url: string,
  asked: Asked & Given,
  filters: Filters = {},
): Promise<List<StoredObjects[T]>> {
  const { limit = 10, starting_after, ending_before, created } = asked
  const values: unknown[] = [type]
  const conditions = ['type = $1', `not body ? 'deleted'`]
  const add = (sql: string, value: unknown) => conditions.push(`${sql} $${values.push(value)}`)
  for (const [name, filter] of Object.entries(filters)) {
    if (asked[name] === undefined) continue
    if ('of' in filter) conditions.push(filter.where(`$${values.push(asked[name])}`, tx))
    else add(`${columnOf(name)} =`, asked[name])
  }
  if (starting_after) add('seq <', await seqOf(tx, type, starting_after, 'starting_after'))
  if (ending_before) add('seq >', await seqOf(tx, type, ending_before, 'ending_before'))
  const bounds = typeof created === 'number' ? { gte: created, lte: created } : (created ?? {})
  for (const [bound, at] of Object.entries(bounds))
    if (at !== undefined) add(`(body->>'created')::bigint ${operators[bound]}`, at)
  const { rows } = await tx.query<{ body: StoredObjects[T] }>(
    `select body from sandbox.objects where ${conditions.join(' and ')} order by seq ${ending_before ? 'asc' : 'desc'} limit ${limit + 1}`,
    values,
  )
  const data = rows.slice(0, limit).map((row) => row.body)
  return {
    object: 'list',
    data: ending_before ? data.toReversed() : data,
    has_more: rows.length > limit,
    url,
  }
}

function columnOf(field: string): string {
  return field === 'customer' || field === 'subscription' ? field : `body->>'${field}'`
}

/** A page of the objects in `all`, in the order of `all`. */
export function pageOf<T extends { id: string }>(
  all: T[],
  url: string,
  { limit = 10, starting_after, ending_before }: Omit<Asked, 'created'>,
): List<T> {
  const at = (id: string, param: string) => {
    const index = all.findIndex((each) => each.id === id)
    if (index < 0) throw missing('object', id, param)
    return index
  }
  const from = starting_after ? at(starting_after, 'starting_after') + 1 : 0
  const to = ending_before ? at(ending_before, 'ending_before') : all.length
  const data = ending_before
    ? all.slice(from, to).slice(-limit)
    : all.slice(from, to).slice(0, limit)
  return { object: 'list', data, has_more: data.length < to - from, url }
}

/** Without this filter, objects on a test clock are not in a list. */
export const onTestClock: Filter = {
  of: text,
  where: (clock) => `body->>'test_clock' is not distinct from ${clock}`,
}

const operators: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

async function seqOf(runner: Runner, type: string, id: string, param: string): Promise<string> {
  const { rows } = await runner.query<{ seq: string }>(
    'select seq from sandbox.objects where id = $1 and type = $2',
    [id, type],
  )
  if (!rows[0]) throw missing(type, id, param)
  return rows[0].seq
}
