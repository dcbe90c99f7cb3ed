// @module-tag slow
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { aDatabaseProxy } from '../../tests/database-proxy.ts'
import { openWorld, type World } from '../../tests/world.ts'

type Proxy = Awaited<ReturnType<typeof aDatabaseProxy>>
type Trouble = {
  begin: (proxy: Proxy, admin: Admin) => unknown
  end: (proxy: Proxy, admin: Admin) => unknown
}
type Admin = { set: (change: string) => Promise<void>; endConnections: () => Promise<void> }

const troubles: Record<string, Trouble> = {
  'is away': { begin: (proxy) => proxy.cut(), end: (proxy) => proxy.restore() },
  'answers nothing': { begin: (proxy) => proxy.pause(), end: (proxy) => proxy.restore() },
  'is read-only': {
    begin: async (_, { set, endConnections }) => {
      await set('set default_transaction_read_only = on')
      await endConnections()
    },
    end: (_, { set }) => set('reset default_transaction_read_only'),
  },
  'has no connection left': {
    begin: async (_, { set, endConnections }) => {
      await set('connection limit 0')
      await endConnections()
    },
    end: (_, { set }) => set('connection limit -1'),
  },
}

for (const [what, { begin, end }] of Object.entries(troubles))
  test(`while the database ${what}, calls that write are refused as unavailable and the server is not ready, and afterwards all goes on`, async () => {
    const { pool, connection } = await aDatabase()
    const proxy = await aDatabaseProxy(connection)
    const world = await openWorld(proxy.connection)
    const admin = adminOf(pool)
    const ann = await world.aPerson('ann')
    await until(world, 200)

    await begin(proxy, admin)
    const called = performance.now()
    const refused = await ann.call('updateProfile', { displayName: 'Lost' })
    expect(performance.now() - called).toBeLessThan(6000)
    expect(refused).toMatchObject({ status: 503, error: { details: { reason: 'unavailable' } } })
    expect(refused.headers.get('retry-after')).toBe('1')
    await until(world, 503)
    await end(proxy, admin)

    await until(world, 200)
    await ann.does('updateProfile', { displayName: 'Ann Archer' })
    await world.untilWorkedOff()
  })

test('a call that waits for the payment provider is refused, too, when the database goes away', async () => {
  const { pool, connection } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const world = await openWorld(proxy.connection)
  const ann = await world.aPerson('ann')
  await world.control({ api: { delay: 8000, at: 'after' } })
  const buying = ann.pays()
  const begun = `select from sandbox.objects where type = 'customer'`
  while ((await pool.query(begun)).rowCount === 0) await delay(10)

  proxy.cut()
  const cut = performance.now()
  const refused = await buying
  expect(performance.now() - cut).toBeLessThan(6000)
  expect(refused).toMatchObject({ status: 503, error: { details: { reason: 'unavailable' } } })
  proxy.restore()
})

test('after the network has lost all connections without a word, calls succeed as soon as the server is ready', async () => {
  const { connection } = await aDatabase()
  const proxy = await aDatabaseProxy(connection)
  const world = await openWorld(proxy.connection)
  const ann = await world.aPerson('ann')
  proxy.vanish()
  await until(world, 503)
  await until(world, 200)
  await ann.does('updateProfile', { displayName: 'Ann Archer' })
  // The server need not wait for its forgotten connections when it stops.
  proxy.cut()
  proxy.restore()
})

test('a call that finds the disk full is refused as unavailable', async () => {
  const { pool, connection } = await aDatabase()
  const world = await openWorld(connection)
  const ann = await world.aPerson('ann')
  await pool.query(
    `create function fill() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$;
     create trigger full_disk before update on users execute function fill()`,
  )
  const refused = await ann.call('updateProfile', { displayName: 'Ann' })
  expect(refused).toMatchObject({ status: 503, error: { details: { reason: 'unavailable' } } })
})

async function until(world: World, status: number) {
  while ((await world.request('/readyz')).status !== status) await delay(20)
}

/** Changes the database's settings, which apply to new connections. */
function adminOf(pool: pg.Pool): Admin {
  return {
    set: async (change) => {
      const { rows } = await pool.query<{ name: string }>('select current_database() name')
      await pool.query(`alter database ${rows[0]!.name} ${change}`)
    },
    endConnections: async () => {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
    },
  }
}
