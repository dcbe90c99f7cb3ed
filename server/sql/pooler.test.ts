import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { inTransaction, openPool, query } from './database.ts'
import { openStore } from '../store/store.ts'

type Pooler = { named: boolean } | undefined

async function sessionOn(pooler: Pooler) {
  const { connection } = await aDatabase()
  const log = pino({ level: 'silent' })
  const pool = openPool({ ...connection, max: 1 }, log, { pooler })
  onTestFinished(() => pool.end())
  await inTransaction(pool, (db) => openStore(db).subscriptions.find('p'))
  const { rows } = await pool.query(
    `select current_setting('statement_timeout') limited, current_setting('enable_seqscan') scans, (select count(*) from pg_prepared_statements) prepared`,
  )
  return rows[0]
}

test.each([
  [
    'has limits, settings and prepared statements',
    undefined,
    { limited: '30s', scans: 'off', prepared: 1 },
  ],
  ['to a pooler has none of them', { named: false }, { limited: '0', scans: 'on', prepared: 0 }],
  [
    'to a pooler that knows prepared statements has only these',
    { named: true },
    { limited: '0', scans: 'on', prepared: 1 },
  ],
])('a connection %s', async (_, pooler, expected) => {
  expect(await sessionOn(pooler)).toEqual(expected)
})

test('a transaction that its server leaves idle is undone after ten seconds, also behind a pooler', async () => {
  const idle = `show idle_in_transaction_session_timeout`
  for (const pooler of [undefined, { named: false }]) {
    const { connection } = await aDatabase()
    const pool = openPool({ ...connection, max: 1 }, pino({ level: 'silent' }), { pooler })
    onTestFinished(() => pool.end())
    const { rows } = await inTransaction(pool, (db) => query(db, { text: idle }))
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }])
    const outside = (await pool.query<Record<string, string>>(idle)).rows[0]!
    expect(Object.values(outside)).toEqual([pooler ? '0' : '10s'])
  }
})
