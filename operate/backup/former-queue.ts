import type pg from 'pg'
import { quoted, type Table } from './format.ts'

/** What `moveFormer` of server/store/queue.ts reads; it leaves the other columns alone. */
const types: Record<string, string> = {
  id: 'bigint',
  task_id: 'bigint',
  payload: 'json',
  attempts: 'int',
  max_attempts: 'int',
  run_at: 'timestamptz',
  created_at: 'timestamptz',
}

/** Makes the tables of the job queue of version 1.0.0, if the backup has them. */
export async function makeFormerQueue(client: pg.Client, tables: readonly Table[]) {
  const former = tables.filter(({ name }) => name.startsWith('graphile_worker.'))
  if (former.length > 0) await client.query('create schema if not exists graphile_worker')
  for (const { name, columns } of former) {
    const typed = columns.map((column) => `"${column}" ${types[column] ?? 'text'}`)
    await client.query(`create table if not exists ${quoted(name)} (${typed.join(', ')})`)
  }
}
