import { aSandbox } from '@atrium/sandbox/testing'
import type pg from 'pg'
import { pino } from 'pino'
import { aDatabase } from './database.ts'
import { aWorld, billingInfo, openWorld, webhookSecret } from './world.ts'

type World = Awaited<ReturnType<typeof aWorld>>
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
    row: async () => (await world.services.store.billing.find(subscriptionId))!,
    subjects: async ({ email } = owner) => {
      await world.untilWorkedOff()
      return (await world.mails(email)).map(({ subject }) => subject)
    },
  }
}

type Line = { level: number; msg: string; [field: string]: unknown }

/** Opens a world that keeps the lines of its log. */
export async function aLoggedWorld(
  level: 'info' | 'warn' | 'error',
  environment: Record<string, string> = {},
  database?: Awaited<ReturnType<typeof aDatabase>>,
) {
  const { connection, pool } = database ?? (await aDatabase())
  const lines: Line[] = []
  const log = pino({ level }, { write: (line) => void lines.push(JSON.parse(line) as Line) })
  return { world: await openWorld(connection, environment, log), pool, lines }
}

/** The sandbox's API, as an operator uses the payment provider's dashboard. */
export function aDashboard(world: World, pool: pg.Pool): ReturnType<typeof aSandbox> {
  return aSandbox({
    pool,
    webhookSecret,
    prices: [],
    deliver: async (body, headers) =>
      (await world.request('/webhooks/stripe', { method: 'POST', body, headers })).status,
  })
}
