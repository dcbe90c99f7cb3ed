import { rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { holdMails } from '../../tests/jobs.ts'
import { pino } from 'pino'
import { aDatabase } from '../../tests/database.ts'
import { aCore } from '../../tests/migrations.ts'
import { aProject, openWorld } from '../../tests/world.ts'
import { migrateDatabase } from '../migrate/migrate.ts'

test('people get a mail about what others do to them, at most some a day of a kind, unless they switch it off', async () => {
  const { world, id, owner, max, eve } = await aProject({
    plan: 'pro',
    people: { max: ['admin'], eve: [] },
  })
  const [fay, gus] = await world.somePeople('fay', 'gus')
  await owner.renames(id, 'Engine')
  await world.untilWorkedOff()
  await world.pool.query('delete from kept_mails')
  const mailed = async (...people: { email: string }[]) => {
    await world.untilWorkedOff()
    const all = await Promise.all(people.map(({ email }) => world.mails(email)))
    await world.pool.query('delete from kept_mails')
    return all.map((mails) => mails.map(({ subject }) => subject))
  }

  await owner.permits(id, eve, ['editor'])
  await world.untilWorkedOff()
  const [mail] = await world.mails(eve.email)
  expect(mail!.text).toContain(
    'owner changed your role in Engine. You can now use it as an editor.',
  )
  expect(mail!.links).toContain('http://localhost:3000/profile#emails')
  for (let change = 1; change < rateLimits.noticesByAccount.tries + 2; change++)
    await owner.permits(id, eve, change % 2 === 0 ? ['editor'] : [])
  await max.permits(id, max, ['editor', 'admin'])
  const changed = 'Your role in Engine has changed'
  expect(await mailed(eve, owner, max)).toEqual([
    Array.from({ length: rateLimits.noticesByAccount.tries }, () => changed),
    [],
    [],
  ])

  await world.useUp(
    'noticesByAccount',
    `${max.uid} invitationAccepted`,
    rateLimits.noticesByAccount.tries - 1,
  )
  for (const guest of [fay, gus])
    await guest.does('acceptInvite', await max.invites(id, guest.email))
  expect(await mailed(max, owner)).toEqual([['fay joined Engine'], []])

  // A switch counts when the mail leaves, and a role that somebody has no longer is not told.
  const comeBack = await holdMails(world)
  const off = { memberRemoved: false, roleChanged: true }
  await gus.does('saveUser', { notices: { memberRemoved: true } })
  for (const { does } of [gus, fay]) {
    await does('saveUser', { notices: { invitationAccepted: false } })
    expect((await does('getUser', {})).user.notices).toEqual({
      memberRemoved: true,
      roleChanged: true,
      projectEnded: true,
      invitationAccepted: false,
      joinRequested: true,
      joinAccepted: true,
    })
  }
  await owner.permits(id, fay, ['editor'])
  for (const { uid: userId } of [eve, fay, gus])
    await owner.does('removeUser', { subscriptionId: id, userId })
  await gus.does('saveUser', { notices: off })
  await world.untilWorkedOff()
  await comeBack()
  const removed = 'You were removed from Engine'
  expect(await mailed(eve, fay, gus, owner)).toEqual([[removed], [removed], [], []])

  await owner.cancels(id)
  await world.untilWorkedOff()
  expect((await world.mails(max.email))[0]!.text).toContain('owner canceled Engine, where')
  expect(await mailed(max, owner, eve)).toEqual([
    ['Engine is canceled'],
    ['Engine is canceled'],
    [],
  ])
})

test('mails that somebody switched off in an earlier version stay off after the upgrade', async () => {
  const { connection, pool } = await aDatabase({ isEmpty: true })
  const series = [await aCore({ until: '0029' })]
  await migrateDatabase(connection, pino({ level: 'silent' }), { series })
  await pool.query(`insert into users (id, email, display_name, notices, created_at, updated_at)
    values ('e', 'eve@example.com', 'eve', '{"roleChanged": false}', now(), now())`)
  const world = await openWorld(connection)
  const { notices, noticeWays } = (await world.services.store.users.find('e'))!
  expect([notices, noticeWays]).toEqual([{ roleChanged: false }, {}])
})
