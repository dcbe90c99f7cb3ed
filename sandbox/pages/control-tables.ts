import { html } from 'hono/html'
import { money } from '../objects/currency.ts'
import type { CustomerShown, EventShown, PaymentShown } from './control-overview.ts'
import { brandName, counted } from './format.ts'
import type { Html } from './layout.ts'
import { table } from './table.ts'

export function customerTable(customers: CustomerShown[]) {
  const columns = ['Customer', 'Cards', 'Subscriptions', 'Balance']
  return section('customers', 'Customers', columns, customers.map(customerRow))
}

function customerRow(customer: CustomerShown): Html[] {
  const { id, email, metadata, balance, currency, cards, subscriptions } = customer
  const about = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`)
  return [
    html`${email ?? ''} ${[id, ...about].map((line) => html`<p class="mono soft">${line}</p>`)}`,
    html`${cards.map(({ brand, last4, default: isDefault }) => html`<p>${brandName(brand)} ${last4}${isDefault ? ' (default)' : ''}</p>`)}`,
    html`${subscriptions.map(({ price, status }) => html`<p>${price} ${toned(status)}</p>`)}`,
    html`${money(balance, currency)}`,
  ]
}

export function paymentTable(payments: PaymentShown[]) {
  return section('payments', 'Payments', ['Payment', 'State', 'Action'], payments.map(paymentRow))
}

function paymentRow(payment: PaymentShown): Html[] {
  const { id, email, amount, currency } = payment
  return [
    html`${money(amount, currency)} <span class="soft">${email ?? ''}</span>
      <p class="mono soft">${id}</p>`,
    paymentState(payment),
    html`<div class="row">
      ${actionsOn(payment).map(
        ([name, group, outcome]) =>
          html`<form method="post">
            <input type="hidden" name="${group}[payment]" value="${id}" />
            ${outcome ? html`<input type="hidden" name="dispute[outcome]" value="${outcome}" />` : ''}
            <button class="small" aria-label="${name}: payment ${id}">${name}</button>
          </form>`,
      )}
    </div>`,
  ]
}

function paymentState({ amount, amount_refunded, currency, dispute }: PaymentShown) {
  if (dispute) return toned(dispute === 'open' ? 'disputed' : `dispute ${dispute}`)
  if (amount_refunded === 0) return toned('paid')
  return toned(
    amount_refunded < amount ? `${money(amount_refunded, currency)} refunded` : 'refunded',
  )
}

function actionsOn({ amount, amount_refunded, dispute }: PaymentShown) {
  if (dispute === 'open')
    return [
      ['Decide as won', 'dispute', 'won'],
      ['Decide as lost', 'dispute', 'lost'],
    ] as const
  if (dispute !== null || amount_refunded >= amount) return []
  return [
    ['Refund', 'refund', ''],
    ['Dispute', 'dispute', 'open'],
  ] as const
}

export function eventTable(events: EventShown[]) {
  const columns = ['Event', 'Delivery', 'Action']
  return section('events', 'Newest events', columns, events.map(eventRow))
}

function eventRow({ id, type, object, state, attempts }: EventShown): Html[] {
  const action = state === 'delivered' ? 'Deliver again' : 'Deliver now'
  return [
    html`<p class="mono">${type}</p>
      <p class="mono soft">${object}</p>`,
    html`${toned(state)}
    ${attempts > 1 ? html`<p class="soft">${counted(attempts, 'attempt')}</p>` : ''}`,
    html`<form method="post">
      <button class="small" name="redeliver" value="${id}" aria-label="${action}: ${type}, ${id}">
        ${action}
      </button>
    </form>`,
  ]
}

/** A section of the page with a table. Its last column is aligned to the right. */
function section(id: string, title: string, columns: string[], rows: Html[][]) {
  return html`<section class="card" id="${id}">
    <h2>${title}</h2>
    ${
      rows.length
        ? table(title, columns, rows, { end: [columns.length - 1] })
        : html`<p class="soft">None yet.</p>`
    }
  </section>`
}

const tones: Record<string, string> = {
  active: 'good',
  delivered: 'good',
  'dispute won': 'good',
  paid: 'good',
  dropped: 'warn',
  held: 'warn',
  incomplete: 'warn',
  disputed: 'bad',
  'dispute lost': 'bad',
  given_up: 'bad',
  past_due: 'bad',
  retrying: 'bad',
}

/** The name of a state in words and in its colour: `past_due` as a red "Past due". */
function toned(state: string) {
  const words = state.charAt(0).toUpperCase() + state.slice(1).replaceAll('_', ' ')
  return html`<span class="${tones[state] ?? 'soft'}">${words}</span>`
}
