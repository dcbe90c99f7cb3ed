import { refund } from '../../operate/admin/project-acts.ts'
import { billingJobs } from '../../server/billing/jobs.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { aWorld, billingInfo, reasonOf, type Answer, type Person } from '../world.ts'
import { untilAtRest } from './rest.ts'

export type Stand = 'done' | 'working' | 'not done' | 'unsure'
type Try = { attempt: string; isTyped?: boolean }
type World = Awaited<ReturnType<typeof aWorld>>

/** Something about money that somebody does once. */
export type Deed = {
  /** Returns the reason of a refusal. The same `attempt` is the same request. */
  act: (how: Try) => Promise<string | undefined>
  /** What its person reads now. */
  stand: () => Promise<Stand>
  charges: number
  refunded?: number
  /** Whether a refusal says to ask again to find out what became of it. */
  isAskedAgain?: true
}
type Given = { world: World; person: Person; subscriptionId: string }

const visa = 'pm_card_visa'
const typed = 'pm_card_mastercard'
const hour = 3600
const week = 168 * hour

/** What people do. `starts`: what they have before; the overdue projects are made all at once. */
export const deeds = {
  'buys a project': { starts: 'nothing', begin: purchaseWith(visa) },
  'buys a project, and the bank asks': {
    starts: 'nothing',
    begin: purchaseWith('pm_card_authenticationRequired'),
  },
  'buys a plan for a free project': { starts: 'free', begin: change('pro', { isBought: true }) },
  'changes to a larger plan': { starts: 'pro', begin: change('enterprise', { charges: 1 }) },
  'changes to a larger plan as shown': {
    starts: 'pro',
    begin: change('enterprise', { charges: 1, isShown: true }),
  },
  'changes to a smaller plan': { starts: 'enterprise', begin: change('pro') },
  'changes to the free plan': { starts: 'pro', begin: change('free') },
  'makes another card the default': { starts: 'pro', begin: preference },
  'pays what is overdue': { starts: 'overdue', begin: payment },
  'pays what is overdue with another card': { starts: 'overdue', begin: paymentWithAnother },
  cancels: { starts: 'pro', begin: cancellation },
  'is given money back': { starts: 'pro', begin: moneyBack },
} satisfies Record<string, { starts: string; begin: (given: Given) => Promise<Deed> | Deed }>

export type Bank = Awaited<ReturnType<typeof aBank>>

/** A world whose projects are ready for these deeds. */
export async function aBank(all: (keyof typeof deeds)[]) {
  const world = await aWorld()
  const { pool, control } = world
  const overdue: Given[] = []
  let people = 0

  async function given(starts: string): Promise<Given> {
    const person = await world.aPerson(`person${people++}`)
    const planId = starts === 'overdue' ? 'pro' : starts
    if (starts === 'nothing') return { world, person, subscriptionId: '' }
    const free = starts === 'free'
    const wish = { planId, ...(!free && { billingInfo: billingInfo(visa) }) }
    return { world, person, ...(await person.does('createSubscription', wish)) }
  }

  for (const what of all) if (deeds[what].starts === 'overdue') overdue.push(await given('overdue'))
  await untilAtRest(pool)
  await control({ charges: { fail: 1000 } })
  await world.passAtProvider(week + 2 * hour)
  await control({ reset: true })

  /** Ends the faults, and lets webhooks, jobs and what recovers purchases do their work. */
  async function rest() {
    await control({ reset: true })
    await untilAtRest(pool)
    const begunBefore = new Date(Date.now() + 60_000).toISOString()
    await billingJobs.recoverPurchases({ begunBefore }, world.services)
    await untilAtRest(pool)
    await pool.query('delete from rate_limits')
  }

  return {
    pool,
    control,
    rest,
    async begin(what: keyof typeof deeds): Promise<Deed> {
      const { starts, begin } = deeds[what]
      const deed = await begin(starts === 'overdue' ? overdue.pop()! : await given(starts))
      await rest()
      return deed
    },
    /** How many payments the provider has taken so far, and how much it has given back. */
    async moved() {
      const { rows } = await pool.query<{ charges: number; refunded: number }>(
        `select count(*) filter (where type = 'charge' and body->>'status' = 'succeeded') charges,
          coalesce(sum((body->>'amount')::int) filter (where type = 'refund'), 0)::int refunded
        from sandbox.objects where type in ('charge', 'refund')`,
      )
      return rows[0]!
    },
  }
}

function purchaseWith(card: string) {
  return ({ world, person }: Given): Deed => ({
    charges: 1,
    async act({ attempt, isTyped }) {
      const info = billingInfo(isTyped ? typed : card)
      const wish = { planId: 'pro', billingInfo: info, after: null }
      const bought = await person.call('createSubscription', wish, keyOf(person, attempt))
      return confirmed(bought, bought.result?.subscriptionId, world, person)
    },
    async stand() {
      const answer = await person.call('findPurchase', {})
      if (!answer.result) return 'unsure'
      const { purchase } = answer.result
      if (purchase?.state === 'paid') return 'done'
      return purchase?.state === 'working' ? 'working' : 'not done'
    },
  })
}

/** Answers the bank's question as the browser does. */
async function confirmed(
  answer: Answer<'createSubscription' | 'changeSubscriptionPlan' | 'payInvoice'>,
  subscriptionId: string | undefined,
  world: World,
  person: Person,
) {
  const secret = answer.result?.clientSecret
  if (secret === undefined || subscriptionId === undefined) return reasonOf(answer)
  await world.answerChallenge(secret, 'succeed')
  return reasonOf(await person.call('completePayment', { subscriptionId }))
}

type Change = { charges?: number; isBought?: boolean; isShown?: boolean }

function change(planId: string, { charges = 0, isBought = false, isShown = false }: Change = {}) {
  return async ({ person, subscriptionId }: Given): Promise<Deed> => {
    const quoted = async () =>
      (await person.call('previewPlanChange', { subscriptionId, planId })).result?.quote
    const seen = isShown ? await quoted() : undefined
    return {
      charges: isBought ? 1 : charges,
      async act({ attempt, isTyped }) {
        // What is typed again begins with another look at the price.
        const quote = isShown && attempt === 'last' ? await quoted() : seen
        const info = isBought && { billingInfo: billingInfo(isTyped ? typed : visa) }
        const wish = { subscriptionId, planId, quote, ...info }
        const key = keyOf(person, attempt)
        return reasonOf(await person.call('changeSubscriptionPlan', wish, key))
      },
      async stand() {
        const { plan_id, changing_to } = await person.project(subscriptionId)
        if (plan_id === planId) return 'done'
        return changing_to === planId ? 'working' : 'not done'
      },
    }
  }
}

async function preference({ world, person, subscriptionId }: Given): Promise<Deed> {
  const paymentMethodId = await world.addCard(person, subscriptionId, typed)
  return {
    charges: 0,
    act: async ({ attempt }) => {
      const wish = { subscriptionId, paymentMethodId }
      return reasonOf(await person.call('setDefaultPaymentMethod', wish, keyOf(person, attempt)))
    },
    async stand() {
      const answer = await person.call('getPaymentMethods', { subscriptionId })
      if (!answer.result) return 'working'
      const card = answer.result.paymentMethods.find(({ id }) => id === paymentMethodId)
      return card?.isDefault ? 'done' : 'not done'
    },
  }
}

function payment(given: Given, paymentMethodId?: string): Deed {
  const { world, person, subscriptionId } = given
  return {
    charges: 1,
    async act({ attempt }) {
      const wish = { subscriptionId, paymentMethodId }
      const answer = await person.call('payInvoice', wish, keyOf(person, attempt))
      return confirmed(answer, subscriptionId, world, person)
    },
    async stand() {
      const { payment } = await person.project(subscriptionId)
      if (payment === 'ok') return 'done'
      const owed = await person.call('previewPayment', { subscriptionId })
      return owed.result?.owed ? 'not done' : 'working'
    },
  }
}

async function paymentWithAnother(given: Given): Promise<Deed> {
  return payment(given, await given.world.addCard(given.person, given.subscriptionId, typed))
}

function cancellation({ person, subscriptionId }: Given): Deed {
  return {
    charges: 0,
    async act({ attempt }) {
      const wish = { subscriptionId, confirmationId: subscriptionId }
      return reasonOf(await person.call('cancelSubscription', wish, keyOf(person, attempt)))
    },
    async stand() {
      const { status, changing_to } = await person.project(subscriptionId)
      if (status === 'canceled') return 'done'
      return changing_to === 'canceled' ? 'working' : 'not done'
    },
  }
}

async function moneyBack({ world, person, subscriptionId }: Given): Promise<Deed> {
  const { services } = world
  const invoice = async () => (await person.invoices(subscriptionId))[0]!
  const { id } = await invoice()
  const note = async () => (await services.store.installation.find(`refund ${id}`)) ?? '{}'
  const isBegun = async () => 'attempt' in JSON.parse(await note())
  async function stand(): Promise<Stand> {
    if ((await invoice()).amount_refunded > 0) return 'done'
    return (await isBegun()) ? 'working' : 'not done'
  }
  async function ask() {
    const desk = { services, operator: { operator: 'maria' } }
    return refund(desk, id, '2.50').then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof StartError) return 'paymentsUnavailable'
        throw error
      },
    )
  }
  return { charges: 0, refunded: 250, isAskedAgain: true, act: ask, stand }
}

function keyOf({ uid }: Person, attempt: string) {
  return { 'idempotency-key': `${uid} ${attempt}`.replace(' ', '-') }
}
