import type pg from 'pg'
import * as applied from '../../server/migrate/applied.ts'
import { liftLimits } from '../../server/migrate/change-schema.ts'
import { quoted, type Sequence, type Table } from './format.ts'

/** The table of mails that are kept instead of being sent. What opens accounts is in no backup. */
export const notInBackups = 'public.kept_mails'

/** The schemas that the product, the job queue of version 1.0.0 and the sandbox keep something in. */
const schemas = `('public', 'graphile_worker', 'sandbox')`

/**
 * Lists our tables, those first that others refer to. Leaves out what belongs to an extension, what
 * need not survive a crash, kept mails, and lists of migrations, which are made with the tables.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(`
    select format('%s.%s', nspname, relname) name,
      array(select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum) columns,
      array(select format('%s.%s', there.nspname, other.relname)
        from pg_constraint join pg_class other on other.oid = confrelid
          join pg_namespace there on there.oid = other.relnamespace
        where contype = 'f' and conrelid = pg_class.oid and confrelid <> conrelid) needs
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ${schemas} and relkind = 'r' and relpersistence = 'p'
      and format('%s.%s', nspname, relname) not in ('public.migrations', 'graphile_worker.migrations', '${notInBackups}')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by nspname desc, relname`)
  const sorted: Table[] = []
  const waiting = new Map(rows.map((table) => [table.name, table]))
  const isNext = ({ needs }: { needs: string[] }) => !needs.some((name) => waiting.has(name))
  while (waiting.size > 0) {
    const [first, ...others] = waiting.values()
    const { name, columns } = [first!, ...others].find(isNext) ?? first!
    sorted.push({ name, columns })
    waiting.delete(name)
  }
  return sorted
}

export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%s.%s', nspname, relname) name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ${schemas} and relkind = 'S' order by 1`)
  const sequences: Sequence[] = []
  for (const { name } of rows) {
    const { rows } = await client.query<Omit<Sequence, 'name'>>(
      `select last_value::text value, is_called "isCalled" from ${quoted(name)}`,
    )
    sequences.push({ name, ...rows[0]! })
  }
  return sequences
}

export function exists(client: pg.Client, name: string) {
  return applied.exists(client, quoted(name))
}

/**
 * Sets what the role, the database or PostgreSQL may have set otherwise: values have the same text
 * on both sides, no row is hidden, and nothing is ended by a timeout.
 */
export async function prepareSession(client: pg.Client) {
  await liftLimits(client)
  await client.query(`
    set client_encoding = 'UTF8'; set datestyle = 'ISO, MDY'; set timezone = 'UTC';
    set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex';
    set row_security = off`)
}
