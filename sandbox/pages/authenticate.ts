import type { Context } from 'hono'
import { html } from 'hono/html'
import { authenticate } from '../billing/authentication.ts'
import type { PaymentIntent, SetupIntent } from '../objects/wire.ts'
import { lookUp } from '../store/objects.ts'
import { inTransaction, nobody, type World } from '../store/tx.ts'
import { notFound, page } from './layout.ts'
import { customersReader, reader, type Reader } from './reader.ts'

type Intent = PaymentIntent | SetupIntent

/** Where the owner of a card says that it is theirs; shown in a frame inside the app. */
export async function authenticatePage(c: Context, world: World) {
  const intent = await intentAsked(c, world, c.req.query('client_secret'))
  if (!intent) return notFound(c, await reader(c, world), 'payment')
  const reading = await customersReader(c, world, intent.customer)
  return intent.status === 'requires_action'
    ? question(c, world, reading, intent)
    : outcome(c, world, reading, intent)
}

export async function authenticateAnswer(c: Context, world: World) {
  const form = await c.req.parseBody()
  const intent = await intentAsked(c, world, form['client_secret'])
  if (!intent) return notFound(c, await reader(c, world), 'payment')
  const passed = form['outcome'] === 'complete'
  const answered = await inTransaction(world, nobody, (tx) =>
    authenticate(tx, intent.object, intent.id, passed),
  )
  return outcome(c, world, await customersReader(c, world, intent.customer), answered)
}

async function intentAsked(c: Context, world: World, secret: unknown): Promise<Intent | undefined> {
  const object = await lookUp(world.pool, c.req.param('intent') ?? '')
  if (object?.object !== 'payment_intent' && object?.object !== 'setup_intent') return undefined
  return object.client_secret === secret ? object : undefined
}

async function question(c: Context, world: World, reading: Reader, intent: Intent) {
  const { t, money } = reading
  const card = intent.payment_method ? await lookUp(world.pool, intent.payment_method) : undefined
  const last4 = card?.object === 'payment_method' ? (card.card?.last4 ?? '') : ''
  const title = t('sandbox.authenticate.title')
  return page(
    c,
    reading,
    title,
    html`<main class="narrow">
      <h1>${title}</h1>
      <p>
        ${
          intent.object === 'payment_intent'
            ? t('sandbox.authenticate.pay', {
                amount: money(intent.amount, intent.currency),
                last4,
              })
            : t('sandbox.authenticate.save', { last4 })
        }
      </p>
      <p class="soft">${t('sandbox.authenticate.hint')}</p>
      <form method="post" class="row">
        <input type="hidden" name="client_secret" value="${intent.client_secret}" />
        <button class="primary" name="outcome" value="complete">
          ${t('sandbox.authenticate.complete')}
        </button>
        <button name="outcome" value="fail">${t('sandbox.authenticate.fail')}</button>
      </form>
    </main>`,
    { framedBy: world.framedBy },
  )
}

function outcome(c: Context, { framedBy }: World, reading: Reader, intent: Intent) {
  const { t } = reading
  const succeeded = intent.status === 'succeeded'
  const back = returnUrlOf(intent, succeeded)
  const unchanged = intent.object === 'payment_intent' ? 'notCharged' : 'notSaved'
  const title = t(
    `sandbox.authenticate.${succeeded ? 'completed' : intent.status === 'canceled' ? 'canceled' : 'failed'}`,
  )
  return page(
    c,
    reading,
    title,
    html`<main
      class="narrow"
      data-status="${succeeded ? 'succeeded' : 'requires_payment_method'}"
      data-intent="${intent.id}"
      data-return-url="${back}"
    >
      <h1>${title}</h1>
      <p class="soft">${t(`sandbox.authenticate.${succeeded ? 'goOn' : unchanged}`)}</p>
      ${back ? html`<p><a class="button" href="${back}" target="_top">${t('sandbox.authenticate.back')}</a></p>` : ''}
    </main>`,
    { script: 'authenticated.js', framedBy },
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
