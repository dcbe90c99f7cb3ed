import { userInfo } from 'node:os'
import type pg from 'pg'
import { StartError } from '../../platform/start-error.ts'
import { complaintsOf } from './run.ts'
import type { User } from './unprivileged.ts'

/** Owns the cluster. It is not what the server works with: a superuser's SQL runs programs and reads files. */
export const superuser = 'atrium'

/** Owns the database and everything in it, and has no other right. */
export const serverRole = 'atrium_server'

/**
 * PostgreSQL asks the system who is at the other end of the socket: the user who starts the server, or root, and nobody else gets in.
 * Not even PostgreSQL's own user: if root starts it, other programs may run as the same user. (Those can still reach its files.)
 * Written at every start, for that user may change; and as the cluster's owner, who could put a link to a file of root's in the way.
 */
export async function letIn(cluster: string, user: User | undefined) {
  const names = new Set(['root', userInfo().username])
  const files = [
    ['pg_hba.conf', 'local all all peer map=atrium\n'],
    ['pg_ident.conf', Array.from(names, (name) => `atrium "${name}" all\n`).join('')],
  ] as const
  for (const [name, input] of files) {
    const complaints = await complaintsOf('/bin/sh', ['-c', write, 'sh', `${cluster}/${name}`], {
      user,
      input,
    })
    if (complaints)
      throw new StartError(`PostgreSQL's ${name} could not be written in ${cluster}: ${complaints}`)
  }
}

/** At one stroke: a PostgreSQL that another server starts at the same moment may be reading it. */
const write = 'umask 077; cat > "$1.$$" && mv "$1.$$" "$1"'

/** Makes the server's role, and gives it what the superuser has in the database: everything, where an older version made it. */
export async function giveToServerRole(session: pg.Client) {
  const { rowCount } = await session.query('select from pg_roles where rolname = $1', [serverRole])
  if (!rowCount) await session.query(`create role ${serverRole} login`)
  const { rows } = await session.query<{ statement: string }>(ofSuperuser, [superuser, serverRole])
  if (rows.length > 0)
    await session.query(['begin', ...rows.map(({ statement }) => statement), 'commit'].join(';\n'))
}

/** PostgreSQL's own "reassign owned" refuses to, for what the first superuser owns. Rows, indexes and owned sequences go with their tables. */
const ofSuperuser = `
  with mine as (select oid from pg_roles where rolname = $1),
  places as (select oid, nspname, nspowner from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
  select format('alter %s owner to %I', what, $2::text) as statement from (
    select format('database %I', datname) as what from pg_database where datname = current_database() and datdba in (table mine)
    union all
    select format('schema %I', nspname) from places where nspowner in (table mine)
    union all
    select format('table %s', c.oid::regclass) from pg_class c join places on places.oid = relnamespace
    where relowner in (table mine) and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i'))
    union all
    select format('routine %s', p.oid::regprocedure) from pg_proc p join places on places.oid = pronamespace where proowner in (table mine)
    union all
    select format('type %s', t.oid::regtype) from pg_type t join places on places.oid = typnamespace
    left join pg_class on pg_class.oid = typrelid
    where typowner in (table mine) and (typtype in ('e', 'd', 'r') or relkind = 'c')
  )`
