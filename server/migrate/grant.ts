import type pg from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../platform/start-error.ts'
import { changeSchema, onOwnConnection, withRights } from './change-schema.ts'

/** The schemas in which a server changes rows. The last is there only if payments are not real. */
const schemas = `('public', 'graphile_worker', 'sandbox')`

const rights = {
  tables: 'select, insert, update, delete',
  sequences: 'usage, select, update',
  functions: 'execute',
}

/** Gives a role the rights that a server needs, on what is there and on what migrations will add. */
export async function grantRights(connection: pg.PoolConfig, log: Logger, role: string) {
  const grant = async (client: pg.Client) => {
    await requireOwner(client, role)
    const { rows } = await client.query<{ statement: string }>(
      `select replace(statement, '{role}', quote_ident($1::text)) statement from (${statements}) needed`,
      [role],
    )
    for (const { statement } of rows) await client.query(statement)
  }
  await withRights(
    onOwnConnection(connection, log, (client) => changeSchema(client, log, () => grant(client))),
  )
}

async function requireOwner(client: pg.Client, role: string) {
  const { rows } = await client.query<{ exists: boolean; owns: boolean; user: string }>(
    `select exists (select from pg_roles where rolname = $1), current_user "user",
       (select pg_has_role(relowner, 'usage') from pg_class where oid = 'installation'::regclass) owns`,
    [role],
  )
  const { exists, owns, user } = rows[0]!
  if (!exists) throw new StartError(`There is no role ${role} in this PostgreSQL. Create it first.`)
  if (!owns)
    throw new StartError(
      `The role ${user} does not own the tables. Run npm run migrate as the role that does.`,
    )
}

/**
 * Leaves out what others own, such as an extension's functions. The library of the job queue turns
 * on row security, and without a policy only the owner of a table sees its rows.
 */
const statements = `
  select format('grant usage on schema %I to {role}', nspname) statement
  from pg_namespace where nspname in ${schemas} or nspname = 'drizzle'
  union all
  select format('grant select on %s to {role}', oid::regclass)
  from pg_class where oid = 'drizzle.__drizzle_migrations'::regclass
  union all
  select format('grant %s on %s %s to {role}',
    case relkind when 'S' then '${rights.sequences}' else '${rights.tables}' end,
    case relkind when 'S' then 'sequence' else 'table' end, pg_class.oid::regclass)
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname in ${schemas} and relkind in ('r', 'p', 'v', 'S') and pg_has_role(relowner, 'usage')
  union all
  select format('grant ${rights.functions} on function %s to {role}', pg_proc.oid::regprocedure)
  from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
  where nspname in ${schemas} and prokind = 'f' and pg_has_role(proowner, 'usage')
  union all
  select format('alter default privileges in schema %I grant %s to {role}', nspname, future)
  from pg_namespace, unnest(array[
    '${rights.tables} on tables', '${rights.sequences} on sequences', '${rights.functions} on functions'
  ]) future where nspname in ${schemas}
  union all
  select format('create policy %s on %s to {role} using (true) with check (true)', '{role}', pg_class.oid::regclass)
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = 'graphile_worker' and relrowsecurity
    and not exists (select from pg_policies where schemaname = nspname and tablename = relname and policyname = $1::text)`
