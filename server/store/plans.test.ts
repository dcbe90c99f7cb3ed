import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '../../tests/database.ts'
import { openDatabase } from './database.ts'
import { openStore, type Store } from './store.ts'

const page = { page: 2, pageSize: 20, search: undefined }
const now = new Date()

/**
 * What the screens ask. None of it may read a table from end to end, however many people there are.
 */
const questions: Record<string, (store: Store) => Promise<unknown>> = {
  'who holds an access token': ({ sessions }) => sessions.findByAccessToken('x', now),
  'a project': ({ subscriptions }) => subscriptions.find('x'),
  'all projects of somebody': ({ subscriptions }) => subscriptions.listOf('x'),
  'a page of projects': ({ subscriptions }) =>
    subscriptions.pageOf('x', { ...page, sort: 'newest' }),
  'projects by name': ({ subscriptions }) =>
    subscriptions.pageOf('x', { ...page, search: 'bridge', sort: 'name' }),
  'the billing of a project': ({ billing }) => billing.find('x'),
  'projects that are paid for': ({ billing }) =>
    billing.listPaid({ syncedBefore: 1, after: 'x', limit: 100 }),
  'invoices that are known': ({ invoices }) => invoices.mapByIds(['x', 'y']),
  'open invoices': ({ invoices }) => invoices.listOpen({ after: 'x', limit: 100 }),
  'some customers at the provider': ({ billing }) => billing.listCustomerIds(5),
  'subscriptions with a customer': ({ billing }) => billing.listWithCustomer('x'),
  'unfinished purchases': ({ billing }) => billing.listUnfinished({ createdBefore: now, now }),
  'projects somebody still has to decide about': ({ billing }) => billing.listActiveOf('x'),
  'purchases that wait for their payment': ({ billing }) => billing.lockIncompleteOf('x'),
  'people of a project': ({ members }) =>
    members.listUsers('x', { ...page, permission: undefined, now }),
  'people by name': ({ members }) =>
    members.listUsers('x', { ...page, search: 'ann', permission: 'admin', now }),
  'seats taken': ({ invites }) => invites.countSeats('x', now),
  'somebody who is invited': ({ invites }) => invites.findInvitee('ann@example.com', 'x'),
  'open invitations for an address': ({ invites }) => invites.listOpenFor('ann@example.com', now),
  'an invitation': ({ invites }) => invites.find('x'),
  'an invitation by its code': ({ invites }) => invites.findByCode('x'),
  invoices: ({ invoices }) => invoices.list('x', page),
  'activity of a project': ({ activity }) => activity.list('x', { ...page, kinds: undefined }),
  'activity of one area': ({ activity }) =>
    activity.list('x', { ...page, kinds: ['memberJoined'] }),
  'activity of somebody': ({ activity }) => activity.listOf('x', { ...page, kinds: undefined }),
  'somebody by address': ({ users }) => users.findByEmail('ann@example.com'),
  'sessions of somebody': ({ sessions }) => sessions.listOf('x'),
  'failed events': ({ providerEvents }) => providerEvents.listFailed(),
}

test.each(Object.entries(questions))(
  '%s: found by indexes, without reading a whole table',
  async (_, ask) => {
    const { connection } = await aDatabase()
    const asked: pg.QueryConfig[] = []
    // Small tables are read whole for being small; what is asked here is whether there is another
    // way.
    const pool = new Recorder({ ...connection, options: '-c enable_seqscan=off' }, asked)
    // The database goes with the test, and with it what is still connected.
    pool.on('error', () => undefined)
    onTestFinished(() => pool.end())
    await ask(openStore(openDatabase(pool)))
    expect(asked).not.toHaveLength(0)
    for (const { text, values = [] } of asked) {
      const { rows } = await pool.explain(text, values)
      expect(JSON.stringify(rows), text).not.toContain('Seq Scan')
    }
  },
)

class Recorder extends pg.Pool {
  private readonly asked: pg.QueryConfig[]

  constructor(config: pg.PoolConfig, asked: pg.QueryConfig[]) {
    super(config)
    this.asked = asked
    this.query = ((query: pg.QueryConfig, values?: unknown[]) => {
      this.asked.push({ text: query.text, values: values ?? query.values ?? [] })
      return super.query(query, values)
    }) as typeof this.query
  }

  explain(text: string, values: unknown[]) {
    return super.query(`explain (format json) ${text}`, values)
  }
}
