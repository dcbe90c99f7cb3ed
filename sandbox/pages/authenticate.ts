import type { Context } from 'hono'
import { html } from 'hono/html'
import { authenticate } from '../billing/authentication.ts'
import { money } from '../billing/lines.ts'
import type { PaymentIntent, SetupIntent } from '../objects/wire.ts'
import { lookUp } from '../store/objects.ts'
import { inTransaction, nobody, type World } from '../store/tx.ts'
import { notFound, page } from './layout.ts'

type Intent = PaymentIntent | SetupIntent

/** Where the owner of a card says that it is theirs; shown in a frame inside the app. */
export async function authenticatePage(c: Context, world: World) {
  const intent = await intentAsked(c, world, c.req.query('client_secret'))
  if (!intent) return notFound(c, 'This payment')
  return intent.status === 'requires_action' ? question(c, world, intent) : outcome(c, intent)
}

export async function authenticateAnswer(c: Context, world: World) {
  const form = await c.req.parseBody()
  const intent = await intentAsked(c, world, form['client_secret'])
  if (!intent) return notFound(c, 'This payment')
  const passed = form['outcome'] === 'complete'
  return outcome(c, await inTransaction(world, nobody, (tx) => authenticate(tx, intent.object, intent.id, passed)))
}

async function intentAsked(c: Context, world: World, secret: unknown): Promise<Intent | undefined> {
  const object = await lookUp(world.pool, c.req.param('intent') ?? '')
  if (object?.object !== 'payment_intent' && object?.object !== 'setup_intent') return undefined
  return object.client_secret === secret ? object : undefined
}

async function question(c: Context, world: World, intent: Intent) {
  const card = intent.payment_method ? await lookUp(world.pool, intent.payment_method) : undefined
  const last4 = card?.object === 'payment_method' ? card.card.last4 : ''
  const what =
    intent.object === 'payment_intent' ? html`pay <strong>${money(intent.amount, intent.currency)}</strong>` : html`save your card`
  return page(
    c,
    'Authenticate your card',
    html`<main class="narrow">
      <h1>Is this you?</h1>
      <p>${world.account.name} asks to ${what} with the card ending in ${last4}.</p>
      <p class="soft">Your bank would ask you here for a code. This is the sandbox: choose what happens.</p>
      <form method="post" class="row">
        <input type="hidden" name="client_secret" value="${intent.client_secret}" />
        <button class="primary" name="outcome" value="complete">Complete authentication</button>
        <button name="outcome" value="fail">Fail authentication</button>
      </form>
    </main>`,
  )
}

function outcome(c: Context, intent: Intent) {
  const succeeded = intent.status === 'succeeded'
  const back = returnUrlOf(intent, succeeded)
  const words = succeeded ? 'Authentication complete' : intent.status === 'canceled' ? 'This payment was canceled' : 'Authentication failed'
  return page(
    c,
    words,
    html`<main
      class="narrow"
      data-status="${succeeded ? 'succeeded' : 'requires_payment_method'}"
      data-intent="${intent.id}"
      data-return-url="${back}"
    >
      <h1>${words}</h1>
      <p class="soft">${succeeded ? 'You can go on.' : 'Nothing was charged. Try again, or use another card.'}</p>
      ${back ? html`<p><a class="button" href="${back}" target="_top">Go back</a></p>` : ''}
    </main>`,
    { script: 'authenticated.js' },
  )
}

/** As Stripe comes back: with the intent, its secret and how it went. */
function returnUrlOf(intent: Intent, succeeded: boolean): string {
  if (!intent.$hidden.returnUrl) return ''
  const url = new URL(intent.$hidden.returnUrl)
  url.searchParams.set(intent.object, intent.id)
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret)
  url.searchParams.set('redirect_status', succeeded ? 'succeeded' : 'failed')
  return url.href
}
