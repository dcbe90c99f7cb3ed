import { expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import { aWorldWith } from '../../tests/world.ts'

/**
 * A member of 25 projects: one without a name, which is the newest, and `Project 1` to
 * `Project 24`, newest first.
 */
async function inMany() {
  const [world, ann] = await aWorldWith('ann')
  const { pool } = world
  await pool.query(
    `with made as (insert into subscriptions (id, owner_id, plan_id, status, settings, created_at)
      select 'id-' || n, $1, 'free', 'active', case n when 0 then '{}'::jsonb else jsonb_build_object('name', 'Project ' || n) end,
        now() - n * interval '1 minute' from generate_series(0, 24) n returning id)
    insert into members (subscription_id, user_id, permissions, created_at) select id, $1, '{access,admin}', now() from made`,
    [ann.uid],
  )
  return {
    ann,
    pool,
    list: async (input: CallInput<'listSubscriptions'>) => {
      const { subscriptions, total } = await ann.does('listSubscriptions', input)
      return { ids: subscriptions.map(({ id }) => id), total, subscriptions }
    },
  }
}

test('pages of a user’s projects are sorted newest first, and have the same fields as the complete list', async () => {
  const { list } = await inMany()
  const all = await list({})
  expect(all.total).toBe(25)
  const pages = [await list({ page: 1, pageSize: 20 }), await list({ page: 2, pageSize: 20 })]
  expect(pages.map(({ total }) => total)).toEqual([25, 25])
  expect(pages.flatMap(({ subscriptions }) => subscriptions)).toEqual(all.subscriptions)
})

test('a page after the last page of a user’s projects is empty and still gives the total', async () => {
  const { list } = await inMany()
  expect(await list({ page: 9, pageSize: 20 })).toMatchObject({ ids: [], total: 25 })
})

test('projects without a name come last when a user’s projects are sorted by name', async () => {
  const { list } = await inMany()
  const { ids } = await list({ page: 1, pageSize: 50, sort: 'name' })
  expect([ids.slice(0, 3), ids.at(-1)]).toEqual([['id-1', 'id-10', 'id-11'], 'id-0'])
})

test('projects whose payment is missing come first for their administrators when asked so', async () => {
  const { list, pool, ann } = await inMany()
  await pool.query(
    `update subscriptions set payment = 'past_due' where id in ('id-7', 'id-8', 'id-9')`,
  )
  await pool.query(`update subscriptions set status = 'canceled' where id = 'id-9'`)
  await pool.query(
    `update members set permissions = '{access}' where user_id = $1 and subscription_id = 'id-8'`,
    [ann.uid],
  )
  const { ids } = await list({ page: 1, pageSize: 50, sort: 'needed' })
  expect([ids.slice(0, 3), ids.at(-1)]).toEqual([['id-7', 'id-0', 'id-1'], 'id-9'])
})

test('a search of a user’s projects matches part of a name, ignoring case, or a complete id, and has no wildcards', async () => {
  const { list } = await inMany()
  expect(await list({ search: 'PROJECT 2' })).toMatchObject({
    ids: ['id-2', 'id-20', 'id-21', 'id-22', 'id-23', 'id-24'],
    total: 6,
  })
  expect(await list({ search: 'id-7' })).toMatchObject({ ids: ['id-7'], total: 1 })
  for (const search of ['%', '_', `'`, '\\', 'id-'])
    expect(await list({ search })).toMatchObject({ ids: [], total: 0 })
})

test('a search of a user’s projects does not find projects of others or projects that wait for their first payment', async () => {
  const { list, pool, ann } = await inMany()
  await pool.query(`update subscriptions set status = 'incomplete' where id = 'id-7'`)
  await pool.query(`delete from members where user_id = $1 and subscription_id = 'id-8'`, [ann.uid])
  for (const search of ['id-7', 'id-8'])
    expect(await list({ search })).toMatchObject({ ids: [], total: 0 })
  expect((await list({ page: 1, pageSize: 50 })).total).toBe(23)
})
