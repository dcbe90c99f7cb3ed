import pg from 'pg'
import * as z from 'zod/mini'
import { StartError } from '../../server/platform/start-error.ts'
import { Damaged } from './seal.ts'

// A backup is SQL text, compressed by gzip: `zcat FILE` shows it. Its first line has the header, then
// come the rows as PostgreSQL's COPY writes them, then the number of rows, then the seal.

export const marker = '-- atrium backup '
/** 2: without the job queue of a library. */
const version = 2

/** Messages show these in a terminal, so they have no control characters. */
const shown = z.string().check(z.maxLength(200), z.regex(/^[^\p{C}]*$/u))
const count = z.int().check(z.minimum(0))

/** `name` is like `public.users`. Without the columns that PostgreSQL computes. */
const table = z.object({ name: shown, columns: z.array(shown) })
const sequence = z.object({
  name: shown,
  value: z.string().check(z.regex(/^-?\d{1,20}$/)),
  isCalled: z.boolean(),
})

const anyHeader = z.object({
  version: count,
  /** The version of the product that made the backup, and its commit. */
  product: shown,
})

const header = z.extend(anyHeader, {
  /** An ISO date. */
  takenAt: shown,
  /** The version of its PostgreSQL. */
  postgres: shown,
  /** The newest migration of the core. */
  migration: z.object({ name: shown, when: count }),
  /** The migrations that have made the tables. Backups before 0024 have none of modules. */
  applied: z.optional(z.array(z.object({ series: shown, name: shown }))),
  tables: z.array(table),
  sequences: z.array(sequence),
})

const rows = z.record(z.string(), count)

export type Table = z.output<typeof table>
export type Sequence = z.output<typeof sequence>
export type Header = z.output<typeof header>
export type Rows = z.output<typeof rows>

export function headerLine(header: Omit<Header, 'version'>) {
  return `${marker}${JSON.stringify({ version, ...header })}`
}

export function readHeader(line: string, file: string): Header {
  if (!line.startsWith(marker)) throw new StartError(`${file} is not a backup of this product.`)
  const found: unknown = JSON.parse(line.slice(marker.length))
  const made = read(anyHeader, found)
  if (made.version > version)
    throw new StartError(
      `${file} was made by version ${made.product}, in a form that this version does not know. Restore it with version ${made.product} or newer.`,
    )
  return read(header, found)
}

function read<Output>(schema: z.ZodMiniType<Output>, value: unknown) {
  const { success, data } = schema.safeParse(value)
  if (!success) throw new Damaged()
  return data
}

/** The last line before the seal: how many rows each table has. */
export function rowsLine(rows: Rows) {
  return `-- rows ${JSON.stringify(rows)}`
}

export function readRows(line: string) {
  return read(rows, JSON.parse(line.replace(/^-- rows /, '')))
}

/** The end of a table's rows. No row looks like this, because COPY doubles backslashes. */
export const endOfRows = '\\.'

/** The line before a table's rows. */
export function beginOf(table: Table) {
  return `${copyOf(table)} FROM stdin;`
}

/** The beginning of PostgreSQL's COPY, for either direction. */
export function copyOf({ name, columns }: Table) {
  return `COPY ${quoted(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`
}

/** A name like `public.users`, for SQL. */
export function quoted(name: string) {
  return name.split('.').map(pg.escapeIdentifier).join('.')
}
