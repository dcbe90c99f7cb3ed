import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { counts, type Database } from './fill.ts'
import { load, loadInTurns } from './load.ts'
import { startProduct, startProgram, webhookSecret, type Side } from './servers.ts'
import { note } from './table.ts'

type Given = { floor: Side; database: Database; ports: { billed: number; provider: number } }

/** Compares the storing of webhooks with bare inserts, and times their application. */
export async function compareWebhooks({ floor, database, ports }: Given) {
  const provider = await startProgram('provider.ts', ports.provider)
  // Another account than the one of the sandbox, which the first start has noted.
  const server = await startProduct(ports.billed, {
    DATABASE_URL: database.url,
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_API_BASE: `http://127.0.0.1:${ports.provider}`,
  })
  /** Sets the provider's delay. Returns the most requests in flight at once since the last time. */
  const answerAfter = async (milliseconds: number) => {
    const path = `/delay?milliseconds=${milliseconds}`
    const answer = await fetch(`http://127.0.0.1:${ports.provider}${path}`, { method: 'POST' })
    return Number(await answer.text())
  }
  // The provider is far away, so that the worker works at the events as it does in production.
  await answerAfter(100)
  // The server is fresh, and V8 takes some seconds to compile what it runs. The floor is warm.
  await load({ server, next: events() }, { seconds: 0, warmUp: 5 })
  const figures = await loadInTurns({
    floor: { ...floor, next: events() },
    ours: { server, next: events() },
  })
  const [bare, stored] = [figures.floor.rate, figures.ours.rate]
  note({ name: 'webhooks stored', unit: '/s', floor: bare, ours: stored, least: 0.6 })

  const far = await answerAfter(0)
  // By then, the answers that were under way have come.
  const since = new Date(Date.now() + 500)
  await delay(4500)
  const { rows } = await database.pool.query<{ rate: number }>(
    `select count(*) / nullif(extract(epoch from max(processed_at) - min(processed_at)), 0)::float rate
     from provider_events where processed_at > $1`,
    [since],
  )
  const near = await answerAfter(0)
  note({ name: 'webhooks applied', unit: '/s', ours: rows[0]!.rate, least: 600 })
  note({
    name: 'questions in flight, provider 100 ms away, to none away',
    floor: near,
    ours: far,
    least: 1,
  })
  await Promise.all([server.stop(), provider.stop()])
}

/** Events about many subscriptions, each signed as the provider signs it. */
function events() {
  const run = Math.random().toString(36).slice(2)
  let count = 0
  return () => {
    const object = { id: `sub_project${count % counts.projects}`, object: 'subscription' }
    const type = 'customer.subscription.updated'
    const body = JSON.stringify({
      id: `evt_${run}_${++count}`,
      object: 'event',
      type,
      data: { object },
    })
    const time = Math.floor(Date.now() / 1000)
    const mac = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex')
    return { path: '/webhooks/stripe', body, headers: `stripe-signature: t=${time},v1=${mac}\r\n` }
  }
}
