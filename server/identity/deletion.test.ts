// @module-tag slow
import { expect, test } from 'vitest'
import { aWorld, type World } from '../../tests/world.ts'

/** The tables of the product and its queue that have a text anywhere. */
async function tablesWith(text: string, { pool, untilWorkedOff }: World & { pool: Pool }) {
  await untilWorkedOff()
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'sandbox')
    order by name`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const has = `select from ${name} any_row where position($1 in lower(any_row::text)) > 0 limit 1`
    if ((await pool.query(has, [text])).rowCount) found.push(name.replace('public.', ''))
  }
  // Kept mails stand in for a mail server: in production, no server keeps any.
  return found.filter((name) => name !== 'kept_mails')
}

type Pool = Awaited<ReturnType<typeof aWorld>>['pool']

test('after an account is deleted, its address is in no table', async () => {
  const world = await aWorld()
  const [ann, owner] = await world.somePeople('ann', 'owner')
  const { email, uid } = ann
  const projects = []
  for (const name of ['joined', 'rejected', 'revoked', 'open']) {
    const { subscriptionId } = await owner.starts()
    const named = { subscriptionId, email, permissions: [], name: `Ann of ${name}` }
    projects.push({ subscriptionId, ...(await owner.does('createInvite', named)) })
    await owner.renames(subscriptionId, name)
  }
  const [joined, rejected, revoked, open] = projects as [Project, Project, Project, Project]
  await ann.does('acceptInvite', { inviteId: joined.inviteId })
  await ann.does('rejectInvite', { inviteId: rejected.inviteId })
  await owner.does('revokeInvite', revoked)
  await owner.does('resendInvite', open)
  await owner.permits(joined.subscriptionId, ann, ['admin'])
  const own = await ann.buys()
  expect((await ann.updatesBilling(own.subscriptionId, { billing_email: email })).status).toBe(200)
  await ann.invites(joined.subscriptionId, 'zoe@example.com')
  await ann.cancels(own.subscriptionId)
  await world.call('signIn', { email, password: 'wrong' })
  await world.resetCode(email)
  await ann.does('updateEmail', { newEmail: 'anna@example.com' })
  await world.link(ann)
  expect(await tablesWith(email, world)).toEqual(
    expect.arrayContaining(['action_codes', 'activity', 'invites', 'subscriptions', 'users']),
  )

  await ann.does('deleteAccount', { confirmationId: uid })
  expect(await tablesWith(email, world)).toEqual([])
  expect(await tablesWith('ann of', world)).toEqual([])
  expect(await owner.seats(open.subscriptionId)).toMatchObject({ members: 1, pending: 0 })
  const { subscriptionId } = open
  const { activity } = await owner.does('listActivity', { subscriptionId })
  expect(activity.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['inviteRejected', ''],
    ['inviteResent', ''],
    ['settingsChanged', null],
    ['inviteSent', ''],
    ['projectCreated', null],
  ])
})

type Project = { subscriptionId: string; inviteId: string }

test('the deletion of an account that nobody has claimed leaves the invitations to the owner of its address', async () => {
  const world = await aWorld()
  const [owner] = await world.somePeople('owner')
  const { subscriptionId } = await owner.starts()
  const stranger = await world.aPerson('ann', { verified: false })
  await owner.invites(subscriptionId, stranger.email)
  await stranger.does('deleteAccount', { confirmationId: stranger.uid })
  const ann = await world.aPerson('ann')
  expect((await ann.does('listInvites', {})).invites).toHaveLength(1)
})
