import { aSandbox, type Customer, type Invoice } from '@local/sandbox/testing'
import { pino } from 'pino'
import { aWorld, billingInfo, webhookSecret, type World } from './world.ts'

type OwnWorld = Awaited<ReturnType<typeof aWorld>>
type Wish = { plan?: 'free' | 'pro'; card?: string; world?: World }

/** Makes a project with a paying owner, and the helpers that billing tests use on it. */
export async function aBilledProject({ plan = 'pro', card, world }: Wish = {}) {
  world ??= await aWorld()
  const owner = await world.aPerson('owner')
  const { subscriptionId } = plan === 'free' ? await owner.starts() : await owner.buys(card)
  const change = (planId: string, more = {}) =>
    owner.call('changeSubscriptionPlan', { subscriptionId, planId, ...more })
  return {
    world,
    owner,
    subscriptionId,
    change,
    /** Moves a free project to its first paid plan. */
    buy: (card: string, planId = 'pro') => change(planId, { billingInfo: billingInfo(card) }),
    preview: (planId: string) => owner.call('previewPlanChange', { subscriptionId, planId }),
    previewed: async (planId: string) =>
      (await owner.does('previewPlanChange', { subscriptionId, planId })).preview,
    project: () => owner.project(subscriptionId),
    invoices: () => owner.invoices(subscriptionId),
    /** The bank's question is answered with yes, and the browser comes back. */
    confirm: async (clientSecret: string | undefined) => {
      await world.answerChallenge(clientSecret!, 'succeed')
      return owner.does('completePayment', { subscriptionId })
    },
    row: async () => (await world.services.store.billing.find(subscriptionId))!,
    subjects: async ({ email } = owner) => {
      await world.untilWorkedOff()
      return (await world.mails(email)).map(({ subject }) => subject)
    },
  }
}

type CustomerWithInvoices = Customer & { invoices: Invoice[] }

/** All that the provider has. */
export async function customersAt(world: World): Promise<CustomerWithInvoices[]> {
  const overview = await world.request('/sandbox/control.json')
  return ((await overview.json()) as { customers: CustomerWithInvoices[] }).customers
}

type Line = { level: number; msg: string; [field: string]: unknown }

/** Opens a world that keeps the lines of its log. */
export async function aLoggedWorld(
  level: 'info' | 'warn' | 'error',
  environment: Record<string, string> = {},
) {
  const lines: Line[] = []
  const log = pino({ level }, { write: (line) => void lines.push(JSON.parse(line) as Line) })
  return { world: await aWorld(environment, log), lines }
}

/** The sandbox's API, as an operator uses the payment provider's dashboard. */
export function aDashboard(world: OwnWorld): ReturnType<typeof aSandbox> {
  return aSandbox({
    pool: world.pool,
    webhookSecret,
    prices: [],
    deliver: async (body, headers) =>
      (await world.request('/webhooks/stripe', { method: 'POST', body, headers })).status,
  })
}
