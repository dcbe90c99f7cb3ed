import { z } from 'zod'
import type { List, StoredObjects, StoredType } from '../objects/wire.ts'
import type { Runner } from '../store/tx.ts'
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
/** `sql` is a condition on columns of `sandbox.objects`. `values` begin at its parameter `$2`. */
type Where = { sql: string; values: unknown[] }

/** The API call that lists the objects of one type. `filters` are fields to filter by. */
export function listing(
  type: StoredType,
  path: string,
  filters: Record<string, z.ZodType<string>> = {},
): Route {
  const shape = { ...pageParams, ...z.object(filters).partial().shape }
  return route('GET', path, shape, ({ tx, input }) => {
    const given = input as Record<string, string | undefined>
    const fields = Object.keys(filters).map((name) => [columnOf(name), given[name]])
    return page(tx, type, `/v1${path}`, input, matching(Object.fromEntries(fields)))
  })
}

function columnOf(field: string): string {
  return field === 'customer' || field === 'subscription' ? field : `body->>'${field}'`
}

/** A page of the objects of one type, newest first. */
export async function page<T extends StoredType>(
  runner: Runner,
  type: T,
  url: string,
  { limit = 10, starting_after, ending_before, created }: Asked,
  where: Where = { sql: '', values: [] },
): Promise<List<StoredObjects[T]>> {
  const values: unknown[] = [type, ...where.values]
  const conditions = ['type = $1', `not body ? 'deleted'`, ...(where.sql ? [where.sql] : [])]
  const add = (sql: string, value: unknown) => conditions.push(`${sql} $${values.push(value)}`)
  if (starting_after) add('seq <', await seqOf(runner, type, starting_after, 'starting_after'))
  if (ending_before) add('seq >', await seqOf(runner, type, ending_before, 'ending_before'))
  const bounds = typeof created === 'number' ? { gte: created, lte: created } : (created ?? {})
  for (const [bound, at] of Object.entries(bounds))
    if (at !== undefined) add(`(body->>'created')::bigint ${operators[bound]}`, at)
  const { rows } = await runner.query<{ body: StoredObjects[T] }>(
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

const operators: Record<string, string> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** The condition that each column has the given value. Ignores undefined values. */
export function matching(columns: Record<string, string | undefined>): Where {
  const given = Object.entries(columns).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    sql: given.map(([column], index) => `${column} = $${index + 2}`).join(' and '),
    values: given.map(([, value]) => value),
  }
}

async function seqOf(runner: Runner, type: string, id: string, param: string): Promise<string> {
  const { rows } = await runner.query<{ seq: string }>(
    'select seq from sandbox.objects where id = $1 and type = $2',
    [id, type],
  )
  if (!rows[0]) throw missing(type, id, param)
  return rows[0].seq
}
