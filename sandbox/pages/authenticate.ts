import type { Context } from 'hono'
import { html } from 'hono/html'
import { authenticate } from '../billing/authentication.ts'
import { money } from '../objects/currency.ts'
import type { Intent } from '../objects/wire.ts'
import { findObject } from '../store/objects.ts'
import { inTransaction, noRequest, type World } from '../store/tx.ts'
import { logo, notFound, page } from './layout.ts'

const script = html`<script src="/sandbox/assets/authenticated.js" defer></script>`

/** The page on which the bank asks the cardholder for 3-D Secure. The app shows it in a frame. */
export async function authenticatePage(c: Context, world: World) {
  const intent = await intentAsked(c, world, c.req.query('client_secret'))
  if (!intent) return notFound(c, 'payment')
  return intent.status === 'requires_action'
    ? question(c, world, intent)
    : outcome(c, world, intent)
}

export async function authenticateAnswer(c: Context, world: World) {
  const form = await c.req.parseBody()
  const intent = await intentAsked(c, world, form['client_secret'])
  if (!intent) return notFound(c, 'payment')
  const passed = form['outcome'] === 'complete'
  const answered = await inTransaction(world, noRequest, (tx) =>
    authenticate(tx, intent.object, intent.id, passed),
  )
  return outcome(c, world, answered)
}

async function intentAsked(c: Context, world: World, secret: unknown): Promise<Intent | undefined> {
  const object = await findObject(world.pool, c.req.param('intent') ?? '')
  if (object?.object !== 'payment_intent' && object?.object !== 'setup_intent') return undefined
  return object.client_secret === secret ? object : undefined
}

async function question(c: Context, world: World, intent: Intent) {
  const card = intent.payment_method
    ? await findObject(world.pool, intent.payment_method)
    : undefined
  const last4 = card?.object === 'payment_method' ? (card.card?.last4 ?? '') : ''
  const deed =
    intent.object === 'payment_intent'
      ? `pay ${money(intent.amount, intent.currency)} with`
      : 'save'
  return page(
    c,
    'Is this you?',
    html`<main class="narrow">
      ${logo(world.merchant)}
      <h1>Is this you?</h1>
      <p>${`${world.merchant.name} asks to ${deed} the card ending in ${last4}.`}</p>
      <p class="soft">
        Your bank would ask you here for a code. This is the sandbox: choose what happens.
      </p>
      <form method="post" class="row">
        <input type="hidden" name="client_secret" value="${intent.client_secret}" />
        <button class="primary" name="outcome" value="complete">Complete authentication</button>
        <button name="outcome" value="fail">Fail authentication</button>
      </form>
    </main>`,
    { framedBy: world.framedBy },
  )
}

function outcome(c: Context, { framedBy }: World, intent: Intent) {
  const back = returnUrlOf(intent)
  const [title, text] = wordsFor(intent)
  return page(
    c,
    title,
    html`<main
      class="narrow"
      data-status="${intent.status === 'succeeded' ? 'succeeded' : 'requires_payment_method'}"
      data-intent="${intent.id}"
      data-return-url="${back}"
    >
      <h1>${title}</h1>
      <p class="soft">${text}</p>
      ${back ? html`<p><a class="button" href="${back}" target="_top">Go back</a></p>` : ''}
    </main>`,
    { head: script, framedBy },
  )
}

function wordsFor({ object, status }: Intent): [title: string, text: string] {
  if (status === 'succeeded') return ['Authentication complete', 'You can go on.']
  return [
    status === 'canceled' ? 'This payment was canceled' : 'Authentication failed',
    `${object === 'payment_intent' ? 'Nothing was charged' : 'The card was not saved'}. Try again, or use another card.`,
  ]
}

/** The return URL with the parameters that Stripe adds: the intent, its secret and the result. */
function returnUrlOf(intent: Intent): string {
  if (!intent.$hidden.returnUrl) return ''
  const url = new URL(intent.$hidden.returnUrl)
  url.searchParams.set(intent.object, intent.id)
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret)
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  return url.href
}
