// @module-tag slow
import pg from 'pg'
import { expect, onTestFinished, test, vi, type MockInstance } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { openDatabase } from '../sql/database.ts'
import { newAccessToken } from '../platform/ids.ts'
import { openStore, type Store } from './store.ts'

const page = { page: 2, pageSize: 20, search: undefined }
const now = new Date()
const program = newAccessToken()
const viewer: Parameters<Store['subscriptions']['listWithPeople']>[0] = {
  userId: 'x',
  admins: ['admin'],
}

/** The queries of the screens and jobs. None of them may scan a whole table. */
const questions: Record<string, (store: Store) => Promise<unknown>> = {
  'the session of an access token': ({ sessions }) => sessions.findByAccessToken('x', now),
  'the session and the project of a call': ({ sessions }) =>
    sessions.findWithSubscription('x', now, 'x'),
  'the access token of a call': ({ sessions }) => sessions.findByAccessToken(program, now),
  'the access token and the project of a call': ({ sessions }) =>
    sessions.findWithSubscription(program, now, 'x'),
  'a person’s access tokens': ({ accessTokens }) => accessTokens.listOf('x'),
  'a project’s access tokens': ({ accessTokens }) => accessTokens.listIn('x'),
  'the access tokens that end with a membership': ({ accessTokens }) =>
    accessTokens.removeAllOf({ userId: 'x', subscriptionId: 'x', now }),
  'the access tokens that end soon': ({ accessTokens }) =>
    accessTokens.takeEnding({ by: now, now }),
  'a person’s factors': ({ factors }) => factors.listOf('x'),
  'a person’s recovery codes': ({ factors }) => factors.countRecoveryCodes('x'),
  'a passkey with its user': ({ factors }) => factors.findPasskey('x'),
  'a sign-in that waits': ({ factors }) =>
    factors.tryResolver({ resolver: 'x', browser: 'x', tries: 5, now }),
  'some sealed factors': ({ factors }) => factors.listSealed('x', 10),
  'a project': ({ subscriptions }) => subscriptions.find('x'),
  'a project for some users': ({ subscriptions }) =>
    subscriptions.findForWrite({ id: 'x', userId: 'x', otherId: 'y' }),
  'a project with its people': ({ subscriptions }) => subscriptions.findOpened('x', viewer),
  'all projects of a user': ({ subscriptions }) => subscriptions.listOf('x'),
  'all projects of a user with their people': ({ subscriptions }) =>
    subscriptions.listWithPeople(viewer),
  'a page of a user’s projects': ({ subscriptions }) =>
    subscriptions.pageOf(viewer, { ...page, sort: 'newest', language: null }),
  'a user’s projects by name': ({ subscriptions }) =>
    subscriptions.pageOf(viewer, { ...page, search: 'bridge', sort: 'name', language: null }),
  'the billing of a project': ({ billing }) => billing.find('x'),
  'paid projects': ({ billing }) => billing.listPaid({ syncedBefore: 1, after: 'x', limit: 100 }),
  'invoices by id': ({ invoices }) => invoices.mapByIds(['x', 'y']),
  'open invoices': ({ invoices }) => invoices.listOpen({ after: 'x', limit: 100 }),
  'some customers at the provider': ({ billing }) => billing.listCustomerIds(5),
  'subscriptions with a customer': ({ billing }) => billing.listWithCustomer('x'),
  'projects with something due': ({ billing }) => billing.listAhead({ until: now, limit: 10 }),
  'the next time that something is due': ({ billing }) => billing.nextAhead(),
  'unfinished purchases': ({ billing }) => billing.listUnfinished({ createdBefore: now, now }),
  'an owner’s other free projects': ({ subscriptions }) =>
    subscriptions.countOthersOf('x', ['free'], 'x'),
  'an owner’s purchases': ({ subscriptions }) =>
    subscriptions.listPurchases({ ownerId: 'x', since: now }),
  'active projects of an owner': ({ billing }) => billing.listActiveOf('x'),
  'an owner’s purchases that wait for their payment': ({ billing }) =>
    billing.lockIncompleteOf('x'),
  'users of a project': ({ members }) =>
    members.listUsers('x', { ...page, permission: undefined, language: null, now }),
  'users of a project by name': ({ members }) =>
    members.listUsers('x', { ...page, search: 'ann', permission: 'admin', language: null, now }),
  'pending people of a project, sorted': ({ members }) =>
    members.listUsers('x', { ...page, status: 'pending', sort: 'name', language: null, now }),
  'the project of an invitation': ({ invites }) =>
    invites.findJoining({ inviteId: 'x', userId: 'x', now }),
  'an invited person': ({ invites }) =>
    invites.findInvitee({
      subscriptionId: 'x',
      email: 'ann@example.com',
      mailbox: 'x',
      hostId: 'x',
      undoing: ['recoverEmail'],
      now,
    }),
  'invitations of a member': ({ invites }) =>
    invites.endOfMember({ userId: 'x', email: 'ann@example.com', now }),
  'invitations that follow a person': ({ invites }) =>
    invites.readdress({ from: 'ann@example.com', to: 'anna@example.com', now }),
  'open invitations for an address': ({ invites }) => invites.listOpenFor('ann@example.com', now),
  'the open invitations that a member sent': ({ invites }) => invites.listOpenSentBy('x', now),
  'the invites that end with their host': ({ invites }) =>
    invites.lockOfHost({ hostId: 'x', subscriptionId: 'x' }),
  'an invitation': ({ invites }) => invites.lockRow('x'),
  'an invitation by a mailed or copied link': ({ invites }) => invites.findByCode('x'),
  'whether an address may be mailed an invitation': ({ invites }) =>
    invites.findStranger({ email: 'ann@example.com', mailbox: 'x' }),
  invoices: ({ invoices }) => invoices.list('x', page),
  'activity of a project': ({ activity }) => activity.list('x', { ...page, kinds: undefined }),
  'activity of one area': ({ activity }) =>
    activity.list('x', { ...page, kinds: ['memberJoined'] }),
  'activity of a user': ({ activity }) => activity.listOf('x', { ...page, kinds: undefined }),
  'all activity of a project': ({ activity }) => activity.eachOf('x', 1).next(),
  'all activity of a user': ({ activity }) => activity.eachOfUser('x', 1).next(),
  'every project of a user': ({ subscriptions }) => subscriptions.eachOf('x').next(),
  'every invitation for an address': ({ invites }) => invites.eachFor('x').next(),
  'every invitation of a sender': ({ invites }) => invites.eachSentBy('x', ['y']).next(),
  'every card of a user': ({ cards }) => cards.eachOf('x').next(),
  'the projects of a user that ask for a second step': ({ members }) =>
    members.listAsking('x', now),
  'who has no factor in a project': ({ members }) => members.listWithoutFactor('x'),
  'whether a user has a factor': ({ factors }) => factors.has('x'),
  'which sessions passed a second step': ({ sessions }) => sessions.listPassed(['x']),
  'a user by email address': ({ users }) => users.findByEmail('ann@example.com'),
  'a user and how they can sign in': ({ users }) => users.findRecord('x'),
  'sessions of a user': ({ sessions }) => sessions.listOf('x'),
  'the cards of a user': ({ cards }) => cards.listOf('x'),
  'who added the cards of a project': ({ cards }) => cards.mapAdders('x'),
  'who holds a permission': ({ users }) => users.listHolders('x', ['admin']),
  'the oldest open invoice': ({ invoices }) => invoices.findOldestOpen('x'),
  'projects that end because they are not paid': ({ invoices }) =>
    invoices.listEnding({ createdBefore: now, warned: 1 }),
  'the cards that others added': ({ cards }) => cards.listOfOthers('x'),
  'failed events': ({ providerEvents }) => providerEvents.listFailed(),
}

/** Jobs ask these, too. They do without bitmaps: see `settings` in database.ts. */
const ofJobs = new Set([
  'an invitation by a mailed or copied link',
  'unfinished purchases',
  'who holds a permission',
  'the oldest open invoice',
  'projects that end because they are not paid',
  'the cards that others added',
  'open invoices',
  'paid projects',
])

test.each(Object.entries(questions))(
  'the query for “%s” uses indexes and does not scan a whole table',
  async (name, ask) => {
    const { connection } = await aDatabase()
    // PostgreSQL prefers to scan small tables. With this option it does so only if no index fits.
    const options = ['-c enable_seqscan=off', ofJobs.has(name) ? '-c enable_bitmapscan=off' : '']
    const pool = new pg.Pool({ ...connection, options: options.join(' ') })
    const queries: MockInstance<(query: pg.QueryConfig) => unknown>[] = []
    pool.on('connect', (client) => void queries.push(vi.spyOn(client, 'query')))
    // Dropping the test's database ends open connections, which the pool reports as errors.
    pool.on('error', () => undefined)
    onTestFinished(() => pool.end())
    await ask(openStore(openDatabase(pool)))
    const asked = queries.flatMap(({ mock }) => mock.calls.map(([query]) => query))
    expect(asked).not.toHaveLength(0)
    const partial = await listPartial(pool)
    for (const { text } of asked) {
      const { rows } = await pool.query<Explained>(`explain (generic_plan, format json) ${text}`)
      expect(wholeScans(rows[0]!['QUERY PLAN'][0].Plan, partial), text).toEqual([])
    }
  },
)

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}
type Explained = { 'QUERY PLAN': [{ Plan: Plan }] }

/** The indexes that have only some of a table's rows. */
async function listPartial(pool: pg.Pool) {
  const { rows } = await pool.query<{ name: string }>(
    'select indexrelid::regclass::text name from pg_index where indpred is not null',
  )
  return new Set(rows.map(({ name }) => name))
}

/** What a plan reads from end to end: tables, and indexes of all rows of a table. */
function wholeScans(plan: Plan, partial: Set<string>): string[] {
  const { 'Node Type': type, 'Index Name': index, 'Relation Name': table } = plan
  const isWhole = index
    ? plan['Index Cond'] === undefined && !partial.has(index)
    : type === 'Seq Scan'
  const inside = (plan.Plans ?? []).flatMap((each) => wholeScans(each, partial))
  return isWhole ? [`${type} ${index ?? table}`, ...inside] : inside
}
