import pg from 'pg'
import { StartError } from '../platform/start-error.ts'

// A backup is SQL text, compressed by gzip: `zcat FILE` shows it. Its first line has the header, then
// come the rows as PostgreSQL's COPY writes them, then the number of rows, then the seal.

const marker = '-- atrium backup '
const version = 1

/** `name` is like `public.users`. Without the columns that PostgreSQL computes. */
export type Table = { name: string; columns: string[] }
export type Sequence = { name: string; value: string; isCalled: boolean }

export type Header = {
  version: number
  /** An ISO date. */
  takenAt: string
  /** The version of the product that made the backup. */
  product: string
  /** The version of its PostgreSQL. */
  postgres: string
  /** The newest migration of the product's tables. */
  migration: { name: string; when: number }
  /** The newest migration of the job queue's tables. */
  queue: number
  tables: Table[]
  sequences: Sequence[]
}

export function headerLine(header: Omit<Header, 'version'>) {
  return `${marker}${JSON.stringify({ version, ...header })}`
}

export function readHeader(line: string, file: string): Header {
  if (!line.startsWith(marker)) throw new StartError(`${file} is not a backup of this product.`)
  const header = JSON.parse(line.slice(marker.length)) as Header
  if (header.version > version)
    throw new StartError(
      `${file} was made by version ${header.product}, in a form that this version does not know. Restore it with version ${header.product} or newer.`,
    )
  return header
}

export type Rows = Record<string, number>

/** The last line before the seal: how many rows each table has. */
export function rowsLine(rows: Rows) {
  return `-- rows ${JSON.stringify(rows)}`
}

export function readRows(line: string) {
  return JSON.parse(line.replace(/^-- rows /, '')) as Rows
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
