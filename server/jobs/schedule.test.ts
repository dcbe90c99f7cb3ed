import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { openDatabase } from '../sql/database.ts'
import { keepSchedule } from './schedule.ts'

test('of two servers, one adds each job of the schedule when it is due, and none when they start', async () => {
  const { pool } = await aDatabase()
  const stopped = new AbortController()
  onTestFinished(() => stopped.abort())
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T03:16:59Z') })
  onTestFinished(() => void vi.useRealTimers())
  const kept = [0, 1].map(() => keepSchedule(openDatabase(pool), stopped.signal, 5))
  const tries = `select coalesce(sum(points), 0)::int tries from rate_limits where key like 'scheduled %'`
  const countTries = async () => (await pool.query<{ tries: number }>(tries)).rows[0]!.tries
  const added = async (at: string) => {
    const both = (await countTries()) + 2
    vi.setSystemTime(new Date(at))
    while ((await countTries()) < both) await delay(5)
    const { rows } = await pool.query('delete from jobs returning task, key')
    return rows
  }
  expect(await added('2030-01-01T03:17:01Z')).toEqual([{ task: 'removeExpired', key: null }])
  expect(await added('2030-01-01T03:20:01Z')).toEqual([
    { task: 'recoverPurchases', key: 'recoverPurchases' },
  ])
  expect(await added('2030-01-01T03:21:01Z')).toEqual([{ task: 'lookAhead', key: 'lookAhead' }])
  expect(await added('2030-01-01T03:23:01Z')).toEqual([{ task: 'reconcile', key: 'reconcile' }])
  stopped.abort()
  await Promise.all(kept)
})
