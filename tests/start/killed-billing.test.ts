import * as fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
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
} from './a-server.ts'

/** How often the test kills the server, and the seed of the random calls and moments. */
const { KILLS = '12', KILLS_SEED } = process.env
const seed = KILLS_SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(KILLS_SEED)
const hour = 3_600_000

type Call =
  | { does: 'buys'; plan: string; card: string }
  | { does: 'changes'; project: number; plan: string }
  | { does: 'cancels'; project: number }
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
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('buys' as const), plan: paid, card }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('changes' as const),
      project,
      plan: fc.constantFrom('pro', 'enterprise', 'free'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('cancels' as const), project }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('pays' as const), project }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('waits' as const),
      seconds: fc.constantFrom(1800, 86_400, 604_800, 612_000),
      /** How many charges the bank declines meanwhile, so that weeks are overdue. */
      declines: fc.constantFrom(0, 0, 2),
    }),
  },
)
const round = fc.record({
  calls: fc.array(fc.tuple(call, fc.boolean()), { minLength: 4, maxLength: 8 }),
  killedAfter: fc.nat(400),
})

test(
  'after a kill at any moment and a restart our books agree with the payment provider’s',
  { timeout: hour },
  async () => {
    const env = { DATA_DIR: await aFolder(), PORT: String(await aFreePort()) }
    let server = await aStarted({ env })
    await signUp(server)
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

      server = await aStarted({ env })
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
    expect(books!.projects.length).toBeGreaterThan(0)
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
    const input = { planId: sent.plan, billingInfo: billingInfo(sent.card) }
    return server.call('createSubscription', input, options)
  }
  if (sent.does === 'changes')
    return server.call('changeSubscriptionPlan', { subscriptionId, planId: sent.plan }, options)
  if (sent.does === 'cancels') {
    const input = { subscriptionId, confirmationId: subscriptionId }
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
