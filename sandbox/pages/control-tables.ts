import { html } from 'hono/html'
import type { CustomerShown, EventShown, PaymentShown } from '../control/overview.ts'
import type { Html } from './layout.ts'
import type { Reader } from './reader.ts'
import { table } from './table.ts'

export function customerTable(customers: CustomerShown[], reading: Reader) {
  const { t } = reading
  const columns = [
    t('sandbox.control.customers.customer'),
    t('sandbox.control.customers.cards'),
    t('sandbox.control.customers.subscriptions'),
    t('sandbox.control.customers.balance'),
  ]
  return html`<section class="card" id="customers">
    <h2>${t('sandbox.control.customers.title')}</h2>
    ${
      customers.length
        ? table(
            t('sandbox.control.customers.title'),
            columns,
            customers.map((each) => customerRow(each, reading)),
            { end: [3] },
          )
        : html`<p class="soft">${t('sandbox.control.customers.none')}</p>`
    }
  </section>`
}

function customerRow(
  { id, subscriptionId, email, balance, currency, cards, subscriptions }: CustomerShown,
  { t, money }: Reader,
): Html[] {
  return [
    html`${email ?? ''}
      <p class="mono soft">${id}</p>
      ${subscriptionId ? html`<p class="soft">${t('sandbox.control.customers.project', { id: subscriptionId })}</p>` : ''}`,
    lines(
      cards.map(({ brand, last4, default: isDefault }) => {
        const card = `${brand} ${last4}`
        return html`${isDefault ? t('sandbox.control.customers.defaultCard', { card }) : card}`
      }),
      t('sandbox.control.customers.noCards'),
    ),
    lines(
      subscriptions.map(
        ({ price, status }) =>
          html`${price}
            <span class="${tones[status] ?? 'soft'}"
              >${t(`sandbox.control.customers.statuses.${status}`)}</span
            >`,
      ),
      t('sandbox.control.customers.noSubscriptions'),
    ),
    html`${money(balance, currency)}`,
  ]
}

const tones: Record<string, string> = { active: 'good', past_due: 'bad', incomplete: 'warn' }

export function paymentTable(payments: PaymentShown[], reading: Reader) {
  const { t } = reading
  const columns = [
    t('sandbox.control.payments.payment'),
    t('sandbox.control.payments.state'),
    t('sandbox.control.events.action'),
  ]
  const rows = payments.map((payment) => paymentRow(payment, reading))
  return html`<section class="card" id="payments">
    <h2>${t('sandbox.control.payments.title')}</h2>
    ${
      payments.length
        ? table(t('sandbox.control.payments.title'), columns, rows, { end: [2] })
        : html`<p class="soft">${t('sandbox.control.payments.none')}</p>`
    }
  </section>`
}

function paymentRow(payment: PaymentShown, { t, money }: Reader): Html[] {
  const { id, email, amount, amount_refunded: back, currency, dispute } = payment
  const state = dispute ?? (back === 0 ? 'paid' : back < amount ? 'partly' : 'refunded')
  return [
    html`${money(amount, currency)} <span class="soft">${email ?? ''}</span>
      <p class="mono soft">${id}</p>`,
    html`<p class="${paymentTones[state]}">
      ${t(`sandbox.control.payments.states.${state}`, { amount: money(back, currency) })}
    </p>`,
    html`<div class="row">
      ${actionsOn(payment).map((action) => {
        const name = t(`sandbox.control.payments.actions.${action}`)
        return html`<form method="post">
          <input
            type="hidden"
            name="${action === 'refund' ? 'refund' : 'dispute'}[payment]"
            value="${id}"
          />
          ${action === 'refund' ? '' : html`<input type="hidden" name="dispute[outcome]" value="${action}" />`}
          <button
            class="small"
            aria-label="${t('sandbox.control.payments.actionOf', { action: name, id })}"
          >
            ${name}
          </button>
        </form>`
      })}
    </div>`,
  ]
}

function actionsOn({ amount, amount_refunded, dispute }: PaymentShown) {
  if (dispute === 'open') return ['won', 'lost'] as const
  return dispute === null && amount_refunded < amount ? (['refund', 'open'] as const) : []
}

const paymentTones = {
  paid: 'good',
  partly: 'warn',
  refunded: 'soft',
  open: 'bad',
  won: 'good',
  lost: 'bad',
} as const

export function eventTable(events: EventShown[], reading: Reader) {
  const { t } = reading
  const columns = [
    t('sandbox.control.events.event'),
    t('sandbox.control.events.delivery'),
    t('sandbox.control.events.action'),
  ]
  const rows = events.map((event) => eventRow(event, reading))
  return html`<section class="card" id="events">
    <h2>${t('sandbox.control.events.title')}</h2>
    ${
      events.length
        ? html`<form method="post">
            ${table(t('sandbox.control.events.title'), columns, rows, { end: [2] })}
          </form>`
        : html`<p class="soft">${t('sandbox.control.events.none')}</p>`
    }
  </section>`
}

function eventRow({ id, type, object, state, attempts }: EventShown, { t }: Reader): Html[] {
  const deliver = state === 'delivered' ? 'again' : 'now'
  return [
    html`<p class="mono">${type}</p>
      <p class="mono soft">${object}</p>`,
    html`<p class="${stateTones[state]}">${t(`sandbox.control.events.states.${state}`)}</p>
      ${attempts > 1 ? html`<p class="soft">${t('sandbox.control.events.attempts', { count: attempts })}</p>` : ''}`,
    html`<button
      class="small"
      name="redeliver"
      value="${id}"
      aria-label="${t(`sandbox.control.events.${deliver}Of`, { type, id })}"
    >
      ${t(`sandbox.control.events.${deliver}`)}
    </button>`,
  ]
}

const stateTones: Record<EventShown['state'], string> = {
  delivered: 'good',
  waiting: 'soft',
  retrying: 'bad',
  held: 'warn',
  dropped: 'warn',
  given_up: 'bad',
}

function lines(all: Html[], none: string) {
  return html`${all.length ? all.map((line) => html`<p>${line}</p>`) : html`<p class="soft">${none}</p>`}`
}
