import type pg from 'pg'
import { StartError } from '../../server/platform/start-error.ts'
import { openDatabase } from '../../server/sql/database.ts'
import { listApplied } from '../../server/migrate/applied.ts'
import { includes, numberOf } from '../../server/migrate/migration-files.ts'
import { listSilent } from '../../server/store/servers.ts'
import { exists } from './catalogue.ts'
import { quoted } from './format.ts'
import type { Backup } from './read-backup.ts'

/** A server writes rows into these before there is any person. */
const ofNobody = new Set(['public.installation', 'public.servers', 'public.outbox', 'public.jobs'])

/** Refuses a database that a backup must not go into. A server may have made its tables. */
export async function requireEmpty(client: pg.Client, backup: Pick<Backup, 'header' | 'known'>) {
  const { header } = backup
  if (!(await exists(client, 'public.installation'))) return
  await requireNoServer(client)
  await requireOlderTables(client, backup)
  const full: string[] = []
  for (const { name } of header.tables)
    if (name.startsWith('public.') && !ofNobody.has(name) && (await hasRows(client, name)))
      full.push(name.replace('public.', ''))
  if (await hasRows(client, 'sandbox.objects', `type = 'customer'`)) full.push('sandbox.objects')
  if (full.length > 0)
    throw new StartError(
      `The database is not empty: there are rows in ${full.join(', ')}. Restore into a new one, with another DATA_DIR or DATABASE_URL.`,
    )
}

async function requireNoServer(client: pg.Client) {
  if (!(await exists(client, 'public.servers'))) return
  const silent = await listSilent(openDatabase(client), { asker: '' })
  const { rows } = await client.query<{ id: string }>('select id from servers')
  if (rows.some(({ id }) => !silent.includes(id)))
    throw new StartError('A server runs on this database. Stop it, and restore again.')
}

async function requireOlderTables(
  client: pg.Client,
  { header, known }: Pick<Backup, 'header' | 'known'>,
) {
  const there = await listApplied(client, known)
  if (!there.every((one) => includes(header.applied, one)))
    throw new StartError(
      `The database has newer tables than the backup, which is of migration ${numberOf(header.migration)}. Restore into a database without tables: they are made as the backup needs them, and then brought up to date.`,
    )
}

async function hasRows(client: pg.Client, name: string, condition = 'true') {
  if (!(await exists(client, name))) return false
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from ${quoted(name)} where ${condition}) found`,
  )
  return rows[0]!.found
}
