import type { Context } from 'hono'
import { html } from 'hono/html'
import { invalid, StripeFailure } from '../rules/errors.ts'
import { nameOf, parseForm, type Form, type FormValue } from '../api/form.ts'
import { carryOut, commandShape, type Command } from './control-command.ts'
import { customersShown, eventsShown, paymentsShown } from './control-overview.ts'
import { readSettings, type Settings } from '../control/settings.ts'
import type { Courier } from '../events/courier.ts'
import { waiting } from '../events/outbox.ts'
import type { World } from '../store/tx.ts'
import { apiForm, chargeOutcomes, chargesForm, faults, webhooksForm } from './control-forms.ts'
import { customerTable, eventTable, paymentTable } from './control-tables.ts'
import { counted } from './format.ts'
import { page } from './layout.ts'

export async function controlPage(c: Context, { pool, merchant }: World, problem?: StripeFailure) {
  const [{ settings, customers, payments, events }, { length: held }] = await Promise.all([
    readOverview(pool),
    waiting(pool),
  ])
  const wrong = deviations(settings, held)
  return page(
    c,
    'Control',
    html`<main class="wide">
      <div class="row between">
        <h1>Control</h1>
        <form method="post">
          <button name="reset" value="true">Reset to normal</button>
        </form>
      </div>
      ${
        problem
          ? html`<p class="notice bad" role="alert">
              Nothing was changed: ${problem.body.param} can't have this value.
            </p>`
          : ''
      }
      <div class="notice ${wrong.length ? 'warn' : 'good'}">
        ${(wrong.length ? wrong : ['Everything works as normal.']).map((each) => html`<p>${each}</p>`)}
      </div>
      <div class="columns">
        ${chargesForm(settings.charges, customers)} ${webhooksForm(settings.webhooks, held)}
        ${apiForm(settings.api)}
      </div>
      ${customerTable(customers)} ${paymentTable(payments)} ${eventTable(events)}
    </main>`,
    { status: problem ? 400 : 200, bar: merchant },
  )
}

/** One sentence for each setting that differs from its default. */
function deviations({ charges, webhooks, api }: Settings, held: number): string[] {
  const { fail, code, customer } = charges
  const reason = chargeOutcomes[code].toLowerCase()
  const [, fault = ''] = faults.find(([value]) => value === api.fault) ?? []
  const times = api.times === null ? 'for all requests' : `for ${counted(api.times, 'request')}`
  return [
    fail > 0 &&
      `The next ${counted(fail, 'charge')} of ${customer ?? 'any customer'} will fail: ${reason}.`,
    webhooks.mode === 'hold' && `Webhooks are held: ${counted(held, 'event')} waiting.`,
    webhooks.mode === 'drop' && 'Webhooks are dropped.',
    webhooks.copies > 1 && `Every event is posted ${webhooks.copies} times.`,
    api.fault !== null && `API fault: ${fault.toLowerCase()} ${api.at} the work is done, ${times}.`,
    api.fault !== null &&
      api.skip > 0 &&
      `Before that, ${counted(api.skip, 'request')} will be answered as normal.`,
    api.delay > 0 && `The API waits ${api.delay} ms ${api.at} the work is done.`,
  ].filter((sentence) => sentence !== false)
}

export async function controlJson(c: Context, { pool }: World) {
  return c.json(await readOverview(pool), 200, { 'cache-control': 'no-store' })
}

async function readOverview(pool: World['pool']) {
  const [settings, customers, payments, events] = await Promise.all([
    readSettings(pool),
    customersShown(pool),
    paymentsShown(pool),
    eventsShown(pool),
  ])
  return { settings, customers, payments, events }
}

export async function control(c: Context, world: World, courier: Courier) {
  const asForm = !c.req.header('content-type')?.includes('json')
  try {
    const command = await readCommand(c, asForm)
    const settings = await carryOut(world, courier, command)
    return asForm ? c.redirect(`/sandbox/control#${sectionOf(command)}`, 303) : c.json(settings)
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    return asForm
      ? controlPage(c, world, error)
      : c.json({ error: error.body }, error.status === 404 ? 404 : 400)
  }
}

async function readCommand(c: Context, asForm: boolean): Promise<Command> {
  const asked = commandShape.safeParse(
    asForm ? typed(parseForm(await c.req.text())) : await c.req.json().catch(() => null),
  )
  if (asked.success) return asked.data
  const [issue] = asked.error.issues
  const path =
    issue?.code === 'unrecognized_keys'
      ? [...issue.path, ...issue.keys.slice(0, 1)]
      : (issue?.path ?? [])
  const param = nameOf(path)
  throw invalid(`${param || 'The body'}: ${issue?.message}`, { param })
}

/** Turns a form's fields into JSON values: numbers and `true`. Empty fields are left out. */
function typed(value: FormValue): unknown {
  if (typeof value !== 'string') return typedFields(value)
  if (value === 'true') return true
  return /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

function typedFields(form: Form): object {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (value === '' ? [] : [[name, typed(value)]])),
  )
}

/** The id of the page's section that the browser shows after the command. */
function sectionOf({ redeliver, release, refund, dispute, price, ...given }: Command): string {
  if (redeliver) return 'events'
  if (refund || dispute) return 'payments'
  if (price) return 'customers'
  return release ? 'webhooks' : (Object.keys(given)[0] ?? '')
}
