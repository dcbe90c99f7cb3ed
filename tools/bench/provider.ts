// Stands in for Stripe: it answers what the server asks about any subscription, from memory. With
// POST /delay it answers later, and tells how many requests were in flight at once.
import { plans } from '../../config/plans.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const now = Math.floor(Date.now() / 1000)
const week = 7 * 24 * 3600
const price = {
  id: 'price_of_the_bench',
  object: 'price',
  lookup_key: plans.find(({ id }: { id: string }) => id === 'enterprise')!.priceIds[0],
  unit_amount: 3000,
  currency: 'usd',
  recurring: { interval: 'week', interval_count: 1 },
}
let [waiting, inFlight, most] = [0, 0, 0]

const server = createServer((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  response.setHeader('content-type', 'application/json')
  if (pathname === '/delay') {
    response.end(String(most))
    waiting = Number(searchParams.get('milliseconds'))
    most = 0
    return
  }
  most = Math.max(most, ++inFlight)
  if (waiting > 0) await delay(waiting)
  inFlight--
  response.end(JSON.stringify(answerTo(pathname)))
}

function answerTo(path: string) {
  const [, , resource, id = ''] = path.split('/')
  if (resource === 'account') return { id: 'acct_of_the_bench', object: 'account' }
  if (resource === 'prices') return { object: 'list', data: [price], has_more: false, url: path }
  if (resource === 'customers') return { id, object: 'customer' }
  return subscriptionOf(id)
}

/** A subscription that is paid, with the fields that the server reads. */
function subscriptionOf(id: string) {
  const subscriptionId = id.replace('sub_', '')
  const period = { current_period_start: now, current_period_end: now + week }
  return {
    id,
    object: 'subscription',
    status: 'active',
    currency: 'usd',
    metadata: { subscriptionId },
    customer: {
      id: `cus_${subscriptionId}`,
      object: 'customer',
      invoice_settings: { default_payment_method: 'pm_of_the_bench' },
    },
    default_payment_method: 'pm_of_the_bench',
    items: { object: 'list', data: [{ id: 'si_of_the_bench', price, ...period }] },
    latest_invoice: {
      id: `in_${subscriptionId}`,
      object: 'invoice',
      number: subscriptionId,
      created: now,
      status: 'paid',
      currency: 'usd',
      total: 3000,
      amount_paid: 3000,
      amount_remaining: 0,
      attempt_count: 1,
      next_payment_attempt: null,
      last_finalization_error: null,
      billing_reason: 'subscription_cycle',
      payments: { object: 'list', data: [] },
      lines: { object: 'list', data: [] },
    },
    cancel_at: null,
    cancel_at_period_end: false,
    cancellation_details: null,
    ended_at: null,
    discounts: [],
    pause_collection: null,
    pending_update: null,
    schedule: null,
  }
}

// Ends with the bench.
process.on('disconnect', () => process.exit())
server.listen(Number(process.env['PORT']), '127.0.0.1')
