import { numberOf } from '../../server/migrate/migration-files.ts'
import { core } from '../../server/migrate/series.ts'
import type { Header, Rows } from './format.ts'

type About = Pick<Header, 'takenAt' | 'product' | 'postgres' | 'migration' | 'applied'>

/** What people look for first, by its table. */
const counted = {
  people: 'public.users',
  projects: 'public.subscriptions',
  invoices: 'public.invoices',
  'waiting jobs': 'public.jobs',
}

/** When and by what a backup was made, and what is in it. */
export function inWords({ takenAt, product, postgres, migration, applied }: About, rows: Rows) {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const some = Object.entries(counted).map(([what, table]) => `${rows[table] ?? 0} ${what}`)
  const names = new Set(applied?.map(({ series }) => series))
  const modules = [...names].map((name) => (name === core ? '' : `, module ${name}`)).join('')
  const made = `made at ${takenAt} by version ${product} on PostgreSQL ${postgres}, migration ${numberOf(migration)}${modules}`
  return `${made}.\n${all} rows in ${Object.keys(rows).length} tables: ${some.join(', ')}.`
}
