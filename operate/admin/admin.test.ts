// @module-tag slow
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { aBilledProject, customersAt } from '../../tests/a-billed-project.ts'
import { aDatabase, hold } from '../../tests/database.ts'
import { aModule, since } from '../../tests/migrations.ts'
import { aProgram } from '../../tests/a-program.ts'
import { adminOf } from '../../tests/an-operator.ts'
import { aMailServer } from '../../tests/mail-server.ts'
import { deliver, event } from '../../tests/webhook.ts'
import { aWorld, aWorldWith, reasonOf, type Person } from '../../tests/world.ts'
import { aFreePort } from '../../tools/free-port.ts'
import { readAdmin } from '../commands/admin.ts'
import { migrateDatabase } from '../../server/migrate/migrate.ts'
import { listSeries } from '../../server/migrate/series.ts'

/** Waits until jobs have failed, and puts off their next tries, which would meet the operator's. */
async function failOnce({ untilWorkedOff, pool }: Awaited<ReturnType<typeof aWorld>>) {
  await untilWorkedOff()
  await pool.query(`update jobs set run_at = now() + interval '1 hour' where attempts > 0`)
}

test('find looks for a part of a name or address, and for ids of people, projects and invoices', async () => {
  const { world, owner, subscriptionId, row, invoices } = await aBilledProject()
  const { json, run } = adminOf(world)
  await owner.renames(subscriptionId, 'Harbour lights')
  const [invoice] = await invoices()
  for (const text of ['OWNER@ex', 'owne', owner.uid])
    expect((await json('find', text)).people, text).toMatchObject([{ email: owner.email }])
  const { customerId, providerSubscriptionId } = await row()
  const ids = [subscriptionId, customerId!, providerSubscriptionId!, invoice!.id, invoice!.number!]
  for (const text of ['bour l', ...ids])
    expect((await json('find', text)).projects, text).toMatchObject([{ id: subscriptionId }])
  expect(await run('find', 'nobody')).toBe(
    'No person and no project has “nobody” in a name, address or id.',
  )
})

test('person shows how somebody signs in, their sessions, projects, limits, waiting mails and activity', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  const { json, run } = adminOf(world)
  await world.link(owner)
  await world.call('signIn', { email: owner.email, password: 'wrong' })
  const shown = await json('person', owner.email)
  expect(shown).toMatchObject({
    id: owner.uid,
    emailVerified: true,
    disabled: false,
    signIn: ['password', 'google'],
    log: { account: expect.any(String), user: expect.any(String) },
    sessions: [{ address: expect.any(String) }],
    projects: [{ id: subscriptionId, plan: 'pro', owner: true }],
  })
  expect(shown.limits).toContainEqual(
    expect.objectContaining({ limit: 'failedSignInByAccountAndNetwork', count: 1, refuses: false }),
  )
  expect(shown.activity[0]).toMatchObject({ kind: 'signInFailed' })
  expect(await json('person', owner.uid)).toMatchObject({ email: owner.email })
  expect(await run('person', owner.email)).toMatch(/^sign in +password, google$/m)
  await expect(run('person', 'nobody@example.com')).rejects.toThrow(
    'There is no account nobody@example.com.',
  )
})

test('project shows members, the books of both sides, invoices, events, jobs and activity', async () => {
  const { world, owner, subscriptionId, row } = await aBilledProject()
  const { json, run } = adminOf(world)
  await owner.invites(subscriptionId, 'new@example.com')
  await world.untilWorkedOff()
  const shown = await json('project', subscriptionId)
  const subscription = (await row()).providerSubscriptionId
  expect(shown).toMatchObject({
    status: 'active',
    owner: owner.email,
    members: [{ email: owner.email }, { email: 'new@example.com', status: 'pending' }],
    ours: { plan: 'pro', payment: 'ok', subscription },
    provider: { plan: 'pro', payment: 'ok', subscription, state: 'active', cards: [{}] },
    invoices: [{ status: 'paid', paid: { amount: 1000, currency: 'usd' } }],
    jobs: [],
  })
  expect(shown.ours.renews).toBe(shown.provider.renews)
  expect(shown.events.length).toBeGreaterThan(0)
  expect(await run('project', subscriptionId)).toMatch(/^price +\$10\.00\nevery +1 week$/m)
  await world.control({ api: { fault: 500 } })
  expect((await json('project', subscriptionId)).provider).toEqual({
    unknown: expect.stringContaining('payment provider'),
  })
})

test('after too many wrong passwords, unlock lets a person sign in again', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { run } = adminOf(world)
  for (let guess = 0; guess < 10; guess++)
    await world.call('signIn', { email: ann.email, password: 'wrong' })
  expect(reasonOf(await world.signIn(ann))).toBe('auth/too-many-requests')
  expect(await run('unlock', ann.email)).toMatch(/^ann@example\.com can try again: \d+ limits/)
  expect((await world.signIn(ann)).status).toBe(200)
})

test('a disabled person is signed out everywhere and cannot sign in until an operator enables them', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { run } = adminOf(world)
  const code = await world.resetCode(ann.email)
  expect(await run('disable', ann.email)).toContain('Sessions ended: 1.')
  await ann.cannot('listSubscriptions', {}, 'sessionEnded')
  expect(reasonOf(await world.signIn(ann))).toBe('auth/user-disabled')
  await world.cannot('checkActionCode', { oobCode: code }, 'auth/invalid-action-code')
  expect(await run('disable', ann.email)).toBe('ann@example.com is disabled already.')
  await run('enable', ann.email)
  const again = await world.signedIn(ann)
  const { activity } = await again.does('listOwnActivity', { page: 1, pageSize: 10 })
  expect(activity.map(({ kind, actor }) => [kind, actor])).toEqual(
    expect.arrayContaining([
      ['accountDisabled', null],
      ['accountEnabled', null],
    ]),
  )
})

test('end-sessions signs somebody out everywhere, and send-reset mails a link that works', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { run } = adminOf(world)
  await world.signedIn(ann)
  const program = await aProgram(world, ann)
  expect(await run('person', ann.email)).toContain('CI')
  expect(await run('end-sessions', ann.email)).toContain('Sessions ended: 2.')
  await program.cannot('listSubscriptions', {}, 'sessionEnded')
  await ann.cannot('listSubscriptions', {}, 'sessionEnded')
  await run('send-reset', ann.email)
  await world.untilWorkedOff()
  const oobCode = await world.mailedCode(ann.email)
  await world.does('confirmPasswordReset', { oobCode, newPassword: 'another horse' })
  expect((await world.signIn({ ...ann, password: 'another horse' })).status).toBe(200)
})

test('delete ends an account that owns no active project, and keeps only its id in the log', async () => {
  const { world, owner, subscriptionId } = await aBilledProject()
  const { run, acts } = adminOf(world)
  await expect(run('delete', owner.email)).rejects.toThrow(
    `owner@example.com owns active projects: ${subscriptionId}. Transfer or cancel them first.`,
  )
  await owner.cancels(subscriptionId)
  await run('delete', owner.email)
  expect(reasonOf(await world.signIn(owner))).toBe('auth/invalid-credential')
  expect(await acts()).toMatchObject([{ kind: 'accountDeleted', subject: owner.uid, by: 'maria' }])
})

test('cancel ends a project at the provider too, and the log says that an operator did it', async () => {
  const { world, owner, subscriptionId, subjects, project } = await aBilledProject()
  const { run } = adminOf(world)
  expect(await run('cancel', subscriptionId)).toContain('is canceled')
  expect(await project()).toMatchObject({ status: 'canceled' })
  await world.passAtProvider(14 * 86_400)
  const [customer] = await customersAt(world)
  expect(customer!.invoices.map(({ amount_paid }) => amount_paid)).toEqual([1000])
  expect(await subjects()).toContain('Untitled Project is canceled')
  const { activity } = await owner.does('listActivity', { subscriptionId, page: 1, pageSize: 10 })
  expect(activity[0]).toMatchObject({
    kind: 'projectCanceled',
    actor: null,
    details: { operator: 'maria' },
  })
  await expect(run('cancel', subscriptionId)).rejects.toThrow('is canceled, not active.')
})

test('transfer makes an administrator the owner, and nobody else', async () => {
  const { world, owner, subscriptionId, subjects } = await aBilledProject()
  const { run } = adminOf(world)
  const [admin, member] = await world.somePeople('admin', 'member')
  await world.addMember(subscriptionId, admin, ['admin'])
  await world.addMember(subscriptionId, member)
  await expect(run('transfer', subscriptionId, member.email)).rejects.toThrow(
    'member@example.com is no administrator',
  )
  await run('transfer', subscriptionId, admin.email)
  expect(await admin.project(subscriptionId)).toMatchObject({ owner_id: admin.uid })
  const { activity } = await admin.does('listActivity', { subscriptionId, page: 1, pageSize: 10 })
  expect(activity.find(({ kind }) => kind === 'ownershipTransferred')).toMatchObject({
    actor: null,
    subject: 'admin',
    details: { operator: 'maria' },
  })
  await owner.cannot(
    'cancelSubscription',
    { subscriptionId, confirmationId: subscriptionId },
    'ownerOnly',
  )
  expect(await subjects(admin)).toEqual(expect.arrayContaining(['You now own Untitled Project']))
})

test('refund gives back a part of an invoice, then the rest, and never more', async () => {
  const { world, owner, subscriptionId, invoices } = await aBilledProject()
  const { run, json } = adminOf(world)
  const { id } = (await invoices())[0]!
  expect(await run('refund', id, '2.50')).toBe(`$2.50 of the invoice ${id} goes back to the card.`)
  await expect(run('refund', id, '7.51')).rejects.toThrow('only $7.50 is left')
  await expect(run('refund', id, '1.5')).rejects.toThrow('1.5 is no amount')
  expect((await invoices())[0]).toMatchObject({ amount_refunded: 250 })
  expect(await json('refund', id)).toMatchObject({ amount: 750, currency: 'usd' })
  expect((await invoices())[0]).toMatchObject({ amount_refunded: 1000 })
  await expect(run('refund', id, 'all', 'again')).rejects.toThrow('nothing is left')
  await expect(run('refund', 'in_none')).rejects.toThrow('There is no invoice in_none.')
  const { activity } = await owner.does('listActivity', { subscriptionId, page: 1, pageSize: 10 })
  expect(activity[0]).toMatchObject({ kind: 'paymentRefunded', details: { amount: '750' } })
})

test('two operators who refund the same invoice at once give it back once', async () => {
  const { world, invoices } = await aBilledProject()
  const { run, acts } = adminOf(world)
  const { id } = (await invoices())[0]!
  await Promise.all([run('refund', id, '4.00'), run('refund', id, '4.00')])
  await world.untilWorkedOff()
  expect((await invoices())[0]).toMatchObject({ amount_refunded: 400 })
  expect(await acts()).toMatchObject([{ kind: 'paymentRefunded' }])
})

test('a refund that is asked for again within a day is the same one, unless the operator wants another', async () => {
  const world = await aWorld()
  const { invoices } = await aBilledProject({ world })
  const { run, json, acts } = adminOf(world)
  const { id } = (await invoices())[0]!
  const refunded = async () => (await invoices())[0]!.amount_refunded
  const first = await json('refund', id, '2.00')
  expect(await json('refund', id, '2.00')).toEqual({ ...first, said: expect.any(String) })
  expect(await run('refund', id, '2.00')).toMatch(
    new RegExp(
      `^\\$2\\.00 of the invoice ${id} went back already, at .* UTC, and nothing more does\\. For another refund: refund ${id} 2\\.00 again$`,
    ),
  )
  expect(await refunded()).toBe(200)
  await expect(run('refund', id, '2.00', 'twice')).rejects.toThrow('Write “again”')
  expect(await run('refund', id, '2.00', 'again')).toContain('goes back to the card')
  expect(await run('refund', id, '2.00')).toContain('went back already')
  expect(await refunded()).toBe(400)
  await world.pool.query(
    `update installation set value = jsonb_set(value::jsonb, '{at}', to_jsonb((value::jsonb->>'at')::bigint - 86400000))
     where name like 'refund %'`,
  )
  expect(await run('refund', id, '2.00')).toContain('goes back to the card')
  expect(await refunded()).toBe(600)
  expect(await run('refund', id)).toContain('$4.00')
  expect(await run('refund', id)).toContain('went back already')
  expect(await refunded()).toBe(1000)
  expect(await acts()).toHaveLength(4)
})

test('a refund that is asked for again, whichever answer of the payment provider was lost, is the same refund', async () => {
  const world = await aWorld()
  const { invoices, owner, subscriptionId } = await aBilledProject({ world })
  const { run, acts } = adminOf(world)
  const { id } = (await invoices())[0]!
  const sum = `select coalesce(sum((body->>'amount')::int), 0)::int sum from sandbox.objects where type = 'refund'`
  const refunded = async () => (await world.pool.query<{ sum: number }>(sum)).rows[0]!.sum
  let lost = 0
  for (const skip of [1, 2, 3, 4]) {
    // The requests of jobs would be counted too.
    await world.untilWorkedOff()
    const before = await refunded()
    await world.control({ api: { fault: 'break', at: 'after', skip } })
    const first = await run('refund', id, '2.00', 'again').catch((error: Error) => error.message)
    await world.control({ reset: true })
    if (first.includes('may have gone back or not')) {
      if ((await refunded()) > before) lost++
      await expect(run('refund', id, '1.00', 'again')).rejects.toThrow(
        `Find out first: refund ${id} 2.00`,
      )
      expect(await run('refund', id, '2.00', 'again')).toContain('$2.00')
    }
    expect(await refunded()).toBe(before + 200)
  }
  expect(lost).toBeGreaterThan(0)
  await world.passAtProvider(1)
  expect(await acts()).toHaveLength(4)
  const { activity } = await owner.does('listActivity', { subscriptionId, area: 'billing' })
  const refunds = activity.filter(({ kind }) => kind === 'paymentRefunded')
  expect(refunds.map(({ details }) => details['operator'])).toEqual(Array(4).fill('maria'))
})

test('an operator finds why a mail did not go, and sends it again', async () => {
  const port = await aFreePort()
  const world = await aWorld({ SMTP_URL: `smtp://127.0.0.1:${port}?ignoreTLS=true` })
  const { run, json, acts } = adminOf(world)
  await world.signUp('ann')
  await world.untilWorkedOff()
  const [job] = (await json('person', 'ann@example.com')).jobs
  expect(job).toMatchObject({
    task: 'sendSealedMail',
    state: 'retrying',
    tries: '1 of 17',
    about: { mail: 'verifyEmail', to: 'ann@example.com' },
    error: expect.stringContaining('ECONNREFUSED'),
  })
  expect(JSON.stringify(job)).not.toMatch(/code/i)
  await world.pool.query('update jobs set attempts = 17, run_at = null')
  expect((await json('jobs', 'failed')).jobs).toMatchObject([{ id: job.id, next: null }])
  expect(await run('jobs')).toMatch(/^sendSealedMail +failed +1 +\d+$/m)
  const { sent } = await aMailServer(port)
  expect(await run('retry', job.id)).toContain(job.id)
  // `untilWorkedOff` does not wait for a job that has failed before.
  while ((await world.pool.query('select from jobs')).rowCount !== 0) await run('jobs')
  expect(await run('jobs')).toBe('No job waits, and none has failed.')
  expect(sent()).toContain('ann@example.com')
  expect(await acts()).toMatchObject([
    { kind: 'workRetried', by: 'maria', details: { work: [job.id] } },
  ])
})

test('a mail to an address that the mail server does not know is tried once, and shows to who entered the address and to operators', async () => {
  let answers = Promise.resolve()
  const { url, sent } = await aMailServer(0, (command) =>
    /^RCPT TO:.*typo/.test(command) ? answers.then(() => '550 5.1.1 no such user') : undefined,
  )
  const world = await aWorld({ SMTP_URL: url })
  const { store, now } = world.services
  const person = (name: string) => world.aPerson(name, { verified: false })
  const [owner, typo] = [await person('owner'), await person('typo')]
  const undeliverable = async ({ does }: Person) =>
    (await does('getUser', {})).user.undeliverable_email
  await store.users.claim({ id: owner.uid, now: now() })
  const { subscriptionId } = await owner.buys()
  const { inviteId } = await owner.invites(subscriptionId, 'typo@example.org')
  await owner.invites(subscriptionId, 'guest@example.com')
  await world.untilWorkedOff()
  const tried = () => sent().match(/^RCPT TO:.*typo/gm)!.length
  expect(tried()).toBe(2)
  expect((await adminOf(world).json('jobs')).jobs).toEqual([])
  const invited = async () => {
    const { users } = await owner.does('getSubscriptionUsers', { subscriptionId })
    return users.map(({ email, is_undeliverable }) => is_undeliverable && email).filter(Boolean)
  }
  expect(await invited()).toEqual(['typo@example.org'])
  expect(await undeliverable(typo)).toBe('typo@example.com')

  // A new mail counts until it is refused too.
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  answers = promise
  world.pass(11 * 60_000)
  const later = await world.signedIn(owner)
  await later.does('resendInvite', { subscriptionId, inviteId })
  expect(await invited()).toEqual([])
  letGo()
  await later.does('updateEmail', { newEmail: 'typo@example.net' })
  await later.updatesBilling(subscriptionId, { billing_email: 'typo@example.edu' })
  const refused = async () =>
    (await owner.does('getBillingDetails', { subscriptionId })).billing_email_refused
  expect(await refused()).toBeUndefined()
  await world.passAtProvider(8 * 24 * 3600)
  expect(await invited()).toEqual(['typo@example.org'])
  expect(await undeliverable(owner)).toBe('typo@example.net')
  expect(await refused()).toBe(true)
  await owner.updatesBilling(subscriptionId, { billing_email: null })
  expect(await refused()).toBeUndefined()

  // Somebody who asks for a reset is told nothing.
  await store.users.claim({ id: typo.uid, now: now() })
  await world.pool.query('delete from refused_mails')
  await world.does('sendPasswordResetEmail', { email: typo.email })
  await world.untilWorkedOff()
  expect(await undeliverable(typo)).toBeNull()
  expect((await adminOf(world).json('person', typo.email)).refusedMails).toMatchObject([
    { mail: 'resetPassword', reply: '550 5.1.1 no such user' },
  ])
  await (await world.signedIn(typo)).does('deleteAccount', { confirmationId: typo.uid })
  expect((await world.pool.query('select from refused_mails')).rowCount).toBe(0)
})

test('drop gives up a job that has failed', async () => {
  const world = await aWorld({ SMTP_URL: `smtp://127.0.0.1:${await aFreePort()}` })
  const { run, json, acts } = adminOf(world)
  await world.signUp('ann')
  await failOnce(world)
  const [job] = (await json('jobs')).jobs
  expect(await run('drop', job.id)).toBe(`Is not done any more: ${job.id}.`)
  expect((await json('jobs')).jobs).toEqual([])
  await expect(run('drop', job.id)).rejects.toThrow(`There is no job and no event ${job.id}.`)
  expect(await acts()).toMatchObject([{ kind: 'workDropped' }])
})

test('jobs shows a payment provider’s event that failed, retry processes it again, and drop gives it up', async () => {
  const world = await aWorld()
  const { row } = await aBilledProject({ world })
  const { run, json } = adminOf(world)
  await world.untilWorkedOff()
  const object = { id: (await row()).providerSubscriptionId!, object: 'subscription' }
  const fail = async (id: string) => {
    await world.control({ api: { fault: 500 } })
    await deliver(world, event(id, 'customer.subscription.updated', object))
    await failOnce(world)
  }
  await fail('evt_1')
  const { jobs, events } = await json('jobs')
  expect(events).toMatchObject([{ id: 'evt_1', object: object.id, error: expect.any(String) }])
  expect(jobs).toMatchObject([{ task: 'processEvent', about: { eventId: 'evt_1' } }])
  await world.control({ reset: true })
  expect(await run('retry', jobs[0].id)).toContain('evt_1')
  await world.untilWorkedOff()
  expect(await json('jobs')).toMatchObject({ jobs: [], events: [] })
  await fail('evt_2')
  await world.control({ reset: true })
  await run('drop', 'evt_2')
  await world.untilWorkedOff()
  expect(await json('jobs')).toMatchObject({ jobs: [], events: [] })
  await expect(run('retry', 'evt_2')).rejects.toThrow('The event evt_2 is processed already.')
  expect(await run('retry', 'all')).toBe('Nothing has failed.')
  await fail('evt_3')
  await world.control({ reset: true })
  await run('retry', 'all')
  await world.untilWorkedOff()
  expect(await json('jobs')).toMatchObject({ jobs: [], events: [] })
})

test('who shows the servers that run, without the command itself, and people of the last hour', async () => {
  const [world, ann] = await aWorldWith('ann')
  const { json } = adminOf(world)
  const shown = await json('who')
  expect(shown.servers).toMatchObject([
    { id: world.services.serverId, role: 'all', pid: process.pid, alive: true, jobs: 0 },
  ])
  expect(shown.people).toMatchObject([{ email: ann.email }])
})

test('who does not take a server for alive that lives on another database', async () => {
  const { serverId } = (await aWorld()).services
  const database = await aDatabase()
  await database.pool.query('insert into servers (id) values ($1)', [serverId])
  const { servers } = await adminOf(database).json('who')
  expect(servers).toMatchObject([{ id: serverId, alive: false }])
})

test('the admin command names what is wrong with its words', async () => {
  const wrong = {
    'unlok a': 'There is no command unlok. Did you mean unlock?',
    find: 'TEXT is missing: npm run admin -- find TEXT',
    'unlock a b': '“b” is too much: npm run admin -- unlock ADDRESS',
    'find a --jsn': 'There is no option --jsn. Did you mean --json?',
    'find a --by': '--by needs NAME.',
    'delete a': 'this account and what is its own are gone for good. Add --yes to do it.',
  }
  for (const [line, said] of Object.entries(wrong))
    await expect(readAdmin(line.split(' ')), line).rejects.toThrow(said)
  for (const line of ['', '--help', 'delete a --help'])
    expect((await readAdmin(line.split(' ').filter(Boolean))).help, line).toMatch(/^Usage: npm/)
})

test('what an operator can’t undo is asked about at a terminal', async () => {
  for (const line of ['delete a', 'cancel a', 'refund a 5.00']) {
    const read = (answer: string) => readAdmin(line.split(' '), async () => answer)
    await expect(read('no'), line).rejects.toThrow('Nothing was done.')
    expect((await read('yes')).asked, line).toMatchObject({ given: line.split(' ').slice(1) })
  }
})

/** A database on which modules were that are not here, and which tables it has of them. */
async function aWorldWithKites() {
  const world = await aWorld()
  const tables = ['kites', 'kites_crew', 'kites_hire_days', 'kitestrings', 'invites_sent']
  const text = tables
    .map((table) => `create table ${table} (user_id text references users)`)
    .join(';')
  const gone = await Promise.all([
    aModule('kites', [`${since('0001')}${text}`]),
    aModule('kites_hire', [since('0001')]),
    aModule('invites', [since('0001')]),
  ])
  const log = pino({ level: 'silent' })
  await migrateDatabase(world.connection, log, { series: [...listSeries(), ...gone] })
  const left = async () => {
    const { rows } = await world.pool.query<{ name: string }>(
      `select tablename name from pg_tables where tablename ~ '^(kites|invites)' order by 1`,
    )
    return rows.map(({ name }) => name)
  }
  return { world, left }
}

test('drop-module drops the tables of a module that is not here, and no others', async () => {
  const { world, left } = await aWorldWithKites()
  const { run, acts } = adminOf(world)
  expect(await run('drop-module', 'kites')).toBe('Dropped: kites, kites_crew.')
  expect(await run('drop-module', 'invites')).toBe('Dropped: invites_sent.')
  expect(await left()).toEqual(['invites', 'kites_hire_days', 'kitestrings'])
  const kept = `select from installation where name = 'oldest code of kites'
    union all select from migrations where series = 'kites'`
  expect((await world.pool.query(kept)).rowCount).toBe(0)
  expect(await acts()).toMatchObject([
    { kind: 'moduleDropped', by: 'maria', details: { module: 'kites' } },
    { kind: 'moduleDropped' },
  ])
  await expect(run('drop-module', 'kites')).rejects.toThrow(
    'The database has no module kites. Those',
  )
  await world.signUp('ann')
})

test('drop-module drops neither the core nor a module that is here', async () => {
  const { run } = adminOf(await aWorld())
  await expect(run('drop-module', 'core')).rejects.toThrow('The database has no module core.')
  for (const { name } of listSeries().slice(1))
    await expect(run('drop-module', name)).rejects.toThrow(`The module ${name} is still here.`)
})

test('drop-module waits only a moment for tables that somebody uses, and then drops nothing', async () => {
  const { world, left } = await aWorldWithKites()
  const before = await left()
  const letGo = await hold(world.pool, 'select from users')
  const dropping = adminOf(world).run('drop-module', 'kites')
  await expect(dropping).rejects.toThrow('Nothing was dropped, and you can try again.')
  await letGo()
  expect(await left()).toEqual(before)
})

test('every act of an operator is in the activity log with the operator’s name', async () => {
  const { world, owner, subscriptionId, invoices } = await aBilledProject()
  const { run, acts } = adminOf(world)
  const ann = await world.aPerson('ann')
  await world.addMember(subscriptionId, ann, ['admin'])
  await world.untilWorkedOff()
  const { id: invoice } = (await invoices())[0]!
  const done = [
    ['unlock', ann.email],
    ['send-reset', ann.email],
    ['end-sessions', ann.email],
    ['disable', ann.email],
    ['enable', ann.email],
    ['refund', invoice, '1.00'],
    ['transfer', subscriptionId, ann.email],
    ['cancel', subscriptionId],
    ['delete', owner.email],
  ] as const
  for (const words of done) await run(...words)
  const kinds = [
    'signInUnlocked',
    'passwordResetSent',
    'sessionsEnded',
    'accountDisabled',
    'accountEnabled',
    'paymentRefunded',
    'ownershipTransferred',
    'projectCanceled',
    'accountDeleted',
  ]
  const listed = await acts()
  expect(listed.map(({ kind }) => kind)).toEqual(kinds)
  expect(new Set(listed.map(({ by }) => by))).toEqual(new Set(['maria']))
})
