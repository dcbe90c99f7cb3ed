import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { billingJobs } from '../../server/billing/jobs.ts'
import { ask, inWords, purchase, type Ask } from './asks.ts'
import { comeToRest } from './rest.ts'
import type { Name, Stage, Way } from './stage.ts'

/** A sentence of a story, and a function that makes it true and returns its outcome. */
export type Step = { says: string; does: (stage: Stage) => Promise<unknown> }

const seconds = 1
const minutes = 60 * seconds
const hours = 60 * minutes
const days = 24 * hours

const project = fc.constantFrom(1, 2, 2, 3, 4)
const server = fc.constantFrom<Way['server']>(0, 1)

const asked = fc.record({ number: project, ask, server }).map(({ number, ask, server }): Step => ({
  says: `project ${number}: ${ask.says}`,
  does: async (stage) => askOnce(stage, ask, stage.project(number), server),
}))

const bought = fc.record({ purchase, server }).map(({ purchase, server }): Step => ({
  says: purchase.says,
  does: async (stage) => askOnce(stage, purchase, '', server),
}))

async function askOnce(
  stage: Stage,
  { ask, done = {} }: Ask,
  project: string,
  server: Way['server'],
): Promise<string> {
  const key = randomUUID()
  const say = async (server: Way['server']) => inWords(await ask(stage, project, { server, key }))
  const said = await say(server)
  if (said === 'done') await stage.expectRow(project, done)
  if (said === 'paymentsUnavailable') stage.unanswered.push(() => say(0))
  return said
}

const repeated = fc.constant<Step>({
  says: 'what got no answer is asked again with the same Idempotency-Key',
  does: async (stage) => stage.unanswered.pop()?.() ?? 'there is nothing',
})

/** Makes a call twice with one key. The second gets the first one's answer if there is one. */
const twice = fc
  .record({
    number: project,
    ask: fc.oneof({ weight: 4, arbitrary: ask }, { weight: 1, arbitrary: purchase }),
    atOnce: fc.boolean(),
  })
  .map(({ number, ask, atOnce }): Step => ({
    says: `project ${number}: ${ask.says}, asked twice ${atOnce ? 'at once' : 'in a row'} with one Idempotency-Key`,
    async does(stage) {
      const key = randomUUID()
      const id = stage.project(number)
      const first = ask.ask(stage, id, { server: 0, key })
      if (!atOnce) await first
      const answers = await Promise.all([first, ask.ask(stage, id, { server: 1, key })])
      return answers.map(inWords).join(', ')
    },
  }))

const meanwhile = fc
  .record({
    number: project,
    asks: fc.array(fc.tuple(ask, server), { minLength: 2, maxLength: 3 }),
  })
  .map(({ number, asks }): Step => ({
    says: `project ${number}, all at once: ${asks.map(([{ says }]) => says).join('; ')}`,
    async does(stage) {
      const id = stage.project(number)
      const answers = await Promise.all(asks.map(([ask, server]) => ask.ask(stage, id, { server })))
      return answers.map(inWords).join(', ')
    },
  }))

const bank = fc
  .record({
    number: project,
    answer: fc.constantFrom('succeed', 'succeed', 'fail'),
    comesBack: fc.boolean(),
  })
  .map(({ number, answer, comesBack }): Step => ({
    says: `project ${number}: the buyer tells the bank ${answer === 'fail' ? 'no' : 'yes'}${comesBack ? ' and comes back' : ''}`,
    async does(stage) {
      const id = stage.project(number)
      const secret = stage.secrets.get(id)
      if (secret === undefined) return 'the bank had not asked'
      await stage.world.answerChallenge(secret, answer as 'succeed' | 'fail')
      if (!comesBack) return
      const owner = await stage.ownerOf(id)
      return inWords(
        await stage.ask(owner, 'completePayment', { subscriptionId: id }, { server: 1 }),
      )
    },
  }))

const deletion = fc.constantFrom<Name>('Ann', 'Ben').map((who): Step => ({
  says: `${who} wants to delete the account while owning a project`,
  async does(stage) {
    const { uid } = await stage.signIn(who)
    // A webhook still under way could end the last project between the query and the call.
    await stage.world.passAtProvider(1)
    const { rowCount } = await stage.pool.query(
      `select from subscriptions where owner_id = $1 and status = 'active'`,
      [uid],
    )
    if (!rowCount) return 'but owns none'
    const answer = await stage.ask(who, 'deleteAccount', { confirmationId: uid }, { server: 0 })
    if (answer.result) throw new Error(`${who} owned a project and is gone`)
    return inWords(answer)
  },
}))

const providersClock = fc
  .constantFrom(
    4 * minutes,
    10 * minutes,
    50 * minutes,
    2 * hours,
    1 * days,
    3 * days,
    7 * days,
    7 * days + 30 * minutes,
    7 * days + 2 * hours,
    15 * days,
  )
  .map((passing): Step => ({
    says: `${inTime(passing)} pass at the provider`,
    does: (stage) => stage.world.passAtProvider(passing),
  }))

const serversClock = fc
  .constantFrom(3 * minutes, 2 * hours, 2 * days, 15 * days)
  .map((passing): Step => ({
    says: `${inTime(passing)} pass on the servers`,
    does: async (stage) => stage.pass(passing * 1000),
  }))

const charges = fc
  .record({
    fail: fc.integer({ min: 1, max: 3 }),
    code: fc.constantFrom('generic_decline', 'insufficient_funds', 'processing_error'),
  })
  .map((charges) =>
    fault(`the next ${charges.fail} charges fail with ${charges.code}`, { charges }),
  )

const api = fc
  .record({
    fault: fc.constantFrom(429, 500, 'break'),
    at: fc.constantFrom('before', 'after'),
    times: fc.integer({ min: 1, max: 6 }),
  })
  .map((api) =>
    fault(
      `the provider answers its next ${api.times} requests with ${api.fault}, ${api.at} the work is done`,
      { api },
    ),
  )

const webhooks = fc
  .record({
    mode: fc.constantFrom('hold', 'drop', 'deliver'),
    copies: fc.integer({ min: 1, max: 3 }),
  })
  .map((webhooks) =>
    fault(
      `webhooks from now on: ${webhooks.mode}${webhooks.copies > 1 ? `, ${webhooks.copies} times each` : ''}`,
      { webhooks },
    ),
  )

const release = fc
  .record({ order: fc.constantFrom('recorded', 'reversed', 'shuffled'), seed: fc.nat(99) })
  .map((release) =>
    fault(
      `the webhooks that are held are sent, ${release.order}${release.order === 'shuffled' ? ` by ${release.seed}` : ''}`,
      { release },
    ),
  )

const redelivery = fc.nat(50).map((number): Step => ({
  says: `webhook ${number + 1} is sent once more`,
  async does(stage) {
    const { rows } = await stage.pool.query<{ id: string }>(
      `select id from sandbox.objects where type = 'event' order by seq`,
    )
    await stage.world.control({ redeliver: rows[number % rows.length]!.id })
  },
}))

const lookedAfter = server.map((server): Step => ({
  says: 'purchases are recovered',
  does: (stage) => billingJobs.recoverPurchases({}, stage.worlds[server].services),
}))

const atRest = fc.constant<Step>({ says: 'everything comes to rest', does: comeToRest })

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: asked },
  { weight: 4, arbitrary: bought },
  { weight: 3, arbitrary: repeated },
  { weight: 5, arbitrary: twice },
  { weight: 8, arbitrary: meanwhile },
  { weight: 6, arbitrary: bank },
  { weight: 1, arbitrary: deletion },
  { weight: 10, arbitrary: providersClock },
  { weight: 3, arbitrary: serversClock },
  { weight: 3, arbitrary: charges },
  { weight: 4, arbitrary: api },
  { weight: 4, arbitrary: webhooks },
  { weight: 2, arbitrary: release },
  { weight: 2, arbitrary: redelivery },
  { weight: 2, arbitrary: lookedAfter },
  { weight: 5, arbitrary: atRest },
)

function fault(says: string, wish: Record<string, unknown>): Step {
  return { says, does: (stage) => stage.world.control(wish) }
}

function inTime(passing: number) {
  const parts = [
    [days, 'days'],
    [hours, 'hours'],
    [minutes, 'minutes'],
  ] as const
  let rest = passing
  const words: string[] = []
  for (const [size, word] of parts) {
    if (rest >= size) words.push(`${Math.floor(rest / size)} ${word}`)
    rest %= size
  }
  return words.join(' and ')
}
