import type { Context } from 'hono'
import { html } from 'hono/html'
import { StripeFailure } from '../api/errors.ts'
import { parseForm } from '../api/form.ts'
import { carryOut, wish, type Wish } from '../control/carry-out.ts'
import { customersShown, eventsShown, paymentsShown } from '../control/overview.ts'
import { readSettings } from '../control/settings.ts'
import type { Courier } from '../events/courier.ts'
import { waiting } from '../events/outbox.ts'
import type { World } from '../store/tx.ts'
import { apiForm, chargesForm, webhooksForm } from './control-forms.ts'
import { customerTable, eventTable, paymentTable } from './control-tables.ts'
import { deviations } from './control-words.ts'
import { typed } from './form-values.ts'
import { page } from './layout.ts'
import { pathFrom, reader } from './reader.ts'

export async function controlPage(c: Context, world: World, problem?: StripeFailure) {
  const { pool } = world
  const [reading, settings, customers, payments, events, held] = await Promise.all([
    reader(c, world),
    readSettings(pool),
    customersShown(pool),
    paymentsShown(pool),
    eventsShown(pool),
    waiting(pool),
  ])
  const { t } = reading
  const title = t('sandbox.control.title')
  const wrong = deviations(settings, held.length, reading)
  return page(
    c,
    reading,
    title,
    html`<main class="wide">
      <p><a href="${pathFrom(c, '/sandbox')}">${t('sandbox.home')}</a></p>
      <div class="row between">
        <h1>${title}</h1>
        <form method="post">
          <button name="reset" value="true">${t('sandbox.control.reset')}</button>
        </form>
      </div>
      ${problem ? html`<p class="notice bad" role="alert">${t('sandbox.control.refused', { field: problem.body.param ?? '' })}</p>` : ''}
      <div class="${wrong.length ? 'notice warn' : 'notice good'}">
        ${wrong.map((said) => html`<p>${said.reduce((first, second) => t('common.sentences', { first, second }))}</p>`)}
        ${wrong.length ? '' : html`<p>${t('sandbox.control.normal')}</p>`}
      </div>
      <div class="columns">
        ${chargesForm(settings.charges, customers, reading)}
        ${webhooksForm(settings.webhooks, held.length, reading)} ${apiForm(settings.api, reading)}
      </div>
      ${customerTable(customers, reading)} ${paymentTable(payments, reading)}
      ${eventTable(events, reading)}
    </main>`,
    { status: problem ? 400 : 200 },
  )
}

export async function controlJson(c: Context, { pool }: World) {
  const [settings, customers, payments, events] = await Promise.all([
    readSettings(pool),
    customersShown(pool),
    paymentsShown(pool),
    eventsShown(pool),
  ])
  return c.json({ settings, customers, payments, events }, 200, { 'cache-control': 'no-store' })
}

export async function control(c: Context, world: World, courier: Courier) {
  const asForm = !c.req.header('content-type')?.includes('json')
  try {
    const wished = await readWish(c, asForm)
    const settings = await carryOut(world, courier, wished)
    if (!asForm) return c.json(settings)
    return c.redirect(`${pathFrom(c, '/sandbox/control')}#${placeOf(wished)}`, 303)
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    return asForm
      ? controlPage(c, world, error)
      : c.json({ error: error.body }, error.status === 404 ? 404 : 400)
  }
}

async function readWish(c: Context, asForm: boolean): Promise<Wish> {
  const asked = wish.safeParse(
    asForm ? typed(parseForm(await c.req.text())) : await c.req.json().catch(() => null),
  )
  if (asked.success) return asked.data
  const [issue] = asked.error.issues
  const path =
    issue?.code === 'unrecognized_keys'
      ? [...issue.path, ...issue.keys.slice(0, 1)]
      : (issue?.path ?? [])
  const param = path.map((step, index) => (index ? `[${String(step)}]` : String(step))).join('')
  throw new StripeFailure(400, {
    type: 'invalid_request_error',
    param,
    message: `${param || 'The body'}: ${issue?.message}`,
  })
}

/** Where on the page to go on. */
function placeOf({ redeliver, release, refund, dispute, ...given }: Wish): string {
  if (redeliver) return 'events'
  if (refund || dispute) return 'payments'
  return release ? 'webhooks' : (Object.keys(given)[0] ?? '')
}
