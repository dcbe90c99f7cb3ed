// @module-tag slow
import { expect, test } from 'vitest'
import { account } from '../tools/rehearsals/accounting.ts'
import { openLedger } from '../tools/rehearsals/ledger.ts'
import type { Look } from '../tools/rehearsals/postgres.ts'
import { aWorldWith } from './world.ts'

const missing = 'acknowledged changes that are missing'
const doubled = 'changes carried out more often than acknowledged'

test('the accounting of a rehearsal finds nothing wrong in an undamaged database', async () => {
  const { wrong } = await aLedgerOfLife()
  expect(await wrong()).toEqual([])
})

test.each([
  ['a lost account', `delete from users where email like 'lost%'`, missing],
  ['a lost verification', 'update users set email_verified = false', missing],
  ['a lost name', `update subscriptions set settings = '{"name": "Former"}'`, missing],
  ['a lost change that was replaced later', dropped('settingsChanged'), missing],
  ['a lost plan', `update subscriptions set plan_id = 'pro' where plan_id = 'enterprise'`, missing],
  ['a lost invitation', 'delete from invites', missing],
  ['a lost membership', `delete from members where permissions = '{access}'`, missing],
  ['a lost cancellation', `update subscriptions set status = 'active'`, missing],
  ['a change that was made twice', copied('activity', 'at, kind, subscription_id'), doubled],
  ['a second mail', copied('kept_mails', '"to", subject, text, html, at'), 'mails sent twice'],
  [
    'a lost mail',
    `delete from kept_mails where subject like '%invites%'`,
    'invitations without a mail',
  ],
  [
    'a project that nobody pays for',
    `update sandbox.objects set body = body || '{"status": "canceled"}' where type = 'subscription'`,
    'projects with too many or too few payers',
  ],
])('the accounting of a rehearsal finds %s', async (_, damage, what) => {
  const { pool, wrong } = await aLedgerOfLife()
  await pool.query(damage)
  expect(await wrong()).toContain(what)
})

/** What people did and the ledger knows. `wrong` names what the accounting objects to. */
async function aLedgerOfLife() {
  const [world, ann, bob] = await aWorldWith('ann', 'bob')
  const lost = await world.aPerson('lost', { verified: false })
  const ledger = openLedger()
  for (const { email } of [ann, bob, lost]) ledger.acknowledge({ kind: 'signedUp', email })
  for (const { email } of [ann, bob]) ledger.acknowledge({ kind: 'verified', email })
  const create = async (planId: 'free' | 'pro') => {
    const { subscriptionId: project } = planId === 'pro' ? await ann.buys() : await ann.starts()
    ledger.acknowledge({ kind: 'created', project, owner: ann.email, plan: planId })
    return project
  }

  const project = await create('pro')
  for (const name of ['Bridge', 'Harbour']) {
    await ann.renames(project, name)
    ledger.acknowledge({ kind: 'renamed', project, name })
  }
  await ann.does('changeSubscriptionPlan', { subscriptionId: project, planId: 'enterprise' })
  ledger.acknowledge({ kind: 'planChanged', project, plan: 'enterprise' })
  const { inviteId } = await ann.invites(project, bob.email)
  ledger.acknowledge({ kind: 'invited', project, inviteId, email: bob.email })
  await bob.does('acceptInvite', { inviteId })
  ledger.acknowledge({ kind: 'joined', project, inviteId, email: bob.email })
  const email = 'carl@example.com'
  const waiting = await ann.invites(project, email)
  ledger.acknowledge({ kind: 'invited', project, inviteId: waiting.inviteId, email })

  const ended = await create('free')
  await ann.cancels(ended)
  ledger.acknowledge({ kind: 'canceled', project: ended })
  await world.untilWorkedOff()

  const { pool } = world
  const look: Look = async (sql, values) => (await pool.query(sql, values)).rows
  const wrong = async () =>
    (await account(ledger, look)).filter(({ had, must }) => had > must!).map(({ what }) => what)
  return { pool, wrong }
}

function dropped(kind: string) {
  return `delete from activity where id = (select min(id) from activity where kind = '${kind}')`
}

function copied(table: string, columns: string) {
  return `insert into ${table} (${columns}) select ${columns} from ${table}`
}
