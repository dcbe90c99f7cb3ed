// @module-tag slow
import * as fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { readBooks, type Books } from '../chance/books.ts'
import { paidInvoices, whatIsPaidNoMore, whatIsWrong, whoHasNoSeat } from '../chance/rules.ts'
import { untilAtRest } from '../chance/rest.ts'
import { billingInfo, reasonOf } from '../person.ts'
import { aFreePort } from '../../tools/free-port.ts'
import {
  advance,
  aFolder,
  ann,
  aPoolOn,
  aStarted,
  postJson,
  signUp,
  type Server,
} from '../start/a-server.ts'

/** How often the test kills the server, and the seed of the random calls and moments. */
const { KILLS = '12', KILLS_SEED } = process.env
const seed = KILLS_SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(KILLS_SEED)
const hour = 3_600_000
const day = 86_400
/** The server of these plans, as a program. */
const args = ['server/main.ts']
const NODE_OPTIONS = '--conditions=selling-config --conditions=tests-config'

type Change = Omit<CallInput<'changeSubscriptionPlan'>, 'subscriptionId'>
type Call =
  | { does: 'buys'; plan: string; price: Change['price']; card: string }
  | { does: 'changes'; project: number; planId: string; price: Change['price']; at: Change['at'] }
  | { does: 'cancels'; project: number; at: Change['at'] }
  | { does: 'takesBack'; project: number; call: 'undoPlanChange' | 'resumeSubscription' }
  | { does: 'pays'; project: number }
  | { does: 'waits'; seconds: number; declines: number }
type Sent = Call & { key: string; id: string; isRepeated: boolean }

const project = fc.nat(5)
const paid = fc.constantFrom('pro', 'enterprise')
const card = fc.constantFrom(
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_chargeCustomerFail',
)
/** Some plans are not sold for all of these. */
const price = fc.constantFrom<Change['price'][]>(
  undefined,
  { frequency: 'week' },
  { frequency: 'month', every: 3 },
  { frequency: 'year' },
)
const at = fc.constantFrom<Change['at'][]>(undefined, 'now', 'periodEnd')
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('buys' as const), plan: paid, price, card }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      does: fc.constant('changes' as const),
      project,
      planId: fc.constantFrom('pro', 'enterprise', 'free'),
      price,
      at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancels' as const), project, at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('takesBack' as const),
      project,
      call: fc.constantFrom('undoPlanChange', 'resumeSubscription'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('pays' as const), project }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('waits' as const),
      seconds: fc.constantFrom(1800, day, 7 * day, 31 * day, 92 * day),
      /** How many charges the bank declines meanwhile, so that periods are overdue. */
      declines: fc.constantFrom(0, 0, 2),
    }),
  },
)
const round = fc.record({
  calls: fc.array(fc.tuple(call, fc.boolean()), { minLength: 4, maxLength: 8 }),
  killedAfter: fc.nat(1000),
})

test(
  'after a kill at any moment and a restart our books agree with the payment provider’s',
  { timeout: hour },
  async () => {
    const env = { DATA_DIR: await aFolder(), PORT: String(await aFreePort()), NODE_OPTIONS }
    let server = await aStarted({ args, env })
    const buyer = await signUp(server)
    for (const planId of ['pro', 'enterprise', 'enterprise']) {
      const input = { planId, billingInfo: billingInfo('pm_card_visa') }
      await server.call('createSubscription', input, { token: buyer })
    }
    let books: Books | undefined

    for (const [index, { calls, killedAfter }] of fc
      .sample(round, { seed, numRuns: Number(KILLS) })
      .entries()) {
      const live =
        books?.projects.filter(({ status }) => status === 'active').map(({ id }) => id) ?? []
      const sent = calls.map(([call, isRepeated]): Sent => ({
        ...call,
        key: randomUUID(),
        id: idOf(call, live),
        isRepeated,
      }))
      const said = `kill ${index + 1} of KILLS_SEED=${seed}, after ${killedAfter} ms of\n${sent.map((each) => JSON.stringify(each)).join('\n')}`

      const token = await signIn(server)
      const answers = Promise.all(
        sent.map((each) => send(server, each, token).catch(() => undefined)),
      )
      await delay(killedAfter)
      server.child.kill('SIGKILL')
      const answered = await answers
      await server.ended

      server = await aStarted({ args, env })
      const interrupted = sent.filter(
        ({ isRepeated }, index) => isRepeated && answered[index] === undefined,
      )
      const repeated = await Promise.all(interrupted.map((each) => send(server, each, token)))
      expect(repeated.filter(isUnexplained), `${said}\n${server.log()}`).toEqual([])
      const pool = await aPoolOn(env.DATA_DIR)
      await advance(server.url, 1)
      await untilAtRest(pool)
      // The many declined cards would use up the rate limits.
      await pool.query('delete from rate_limits')
      const before = books
      books = await readBooks(pool)
      await pool.end()
      const paidBefore = before ? paidInvoices(before) : new Set<string>()
      const wrong = [
        ...whatIsWrong(books),
        ...whoHasNoSeat(books, new Date()),
        ...whatIsPaidNoMore(paidBefore, books),
      ]
      expect(wrong, said).toEqual([])
    }
    // A kill between two requests may leave a schedule that plans nothing, until the next call.
    const token = await signIn(server)
    const going = books!.projects.filter(({ status }) => status === 'active')
    for (const { id: subscriptionId } of going) {
      const input = { subscriptionId, confirmationId: subscriptionId }
      expect(await server.call('cancelSubscription', input, { token })).toMatchObject({
        result: {},
      })
    }
    const pool = await aPoolOn(env.DATA_DIR)
    await untilAtRest(pool)
    books = await readBooks(pool)
    await pool.end()
    expect(whatIsWrong(books)).toEqual([])
    expect(books.provider.schedules.filter(({ status }) => status === 'active')).toEqual([])
    expect(going.length).toBeGreaterThan(0)
  },
)

async function signIn(server: Server) {
  return (await server.call('signIn', ann)).result!.token
}

function idOf(call: Call, live: string[]) {
  return 'project' in call && live.length > 0 ? live[call.project % live.length]! : 'none'
}

async function send(server: Server, sent: Sent, token: string): Promise<{ error?: RefusalBody }> {
  const options = { token, headers: { 'idempotency-key': sent.key } }
  const subscriptionId = sent.id
  if (sent.does === 'buys') {
    const { plan: planId, price } = sent
    const input = { planId, price, billingInfo: billingInfo(sent.card) }
    return server.call('createSubscription', input, options)
  }
  if (sent.does === 'changes') {
    const { planId, price, at } = sent
    return server.call('changeSubscriptionPlan', { subscriptionId, planId, price, at }, options)
  }
  if (sent.does === 'takesBack') return server.call(sent.call, { subscriptionId }, options)
  if (sent.does === 'cancels') {
    const input = { subscriptionId, confirmationId: subscriptionId, at: sent.at }
    return server.call('cancelSubscription', input, options)
  }
  if (sent.does === 'pays') return server.call('payInvoice', { subscriptionId }, options)
  const decline = (fail: number) => postJson(`${server.url}/sandbox/control`, { charges: { fail } })
  if (sent.declines > 0) await decline(sent.declines)
  await advance(server.url, sent.seconds)
  if (sent.declines > 0) await decline(0)
  return {}
}

function isUnexplained(answer: { error?: RefusalBody }) {
  const reason = reasonOf(answer) ?? 'internal'
  return answer.error && ['internal', 'timeout', 'unavailable', 'callInProgress'].includes(reason)
}
