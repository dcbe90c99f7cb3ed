import { html } from 'hono/html'
import { money } from '../billing/lines.ts'
import type { CustomerShown, EventShown } from '../control/overview.ts'
import type { Html } from './layout.ts'
import { stateWords } from './control-words.ts'

export function customerTable(customers: CustomerShown[]) {
  return html`<section class="card scroll" id="customers">
    <h2>Customers</h2>
    ${
      customers.length
        ? table(['Customer', 'Cards', 'Subscriptions', 'Balance'], customers.map(customerRow))
        : html`<p class="soft">None yet: the first one comes with the first paid project.</p>`
    }
  </section>`
}

function customerRow({ id, subscriptionId, email, balance, currency, cards, subscriptions }: CustomerShown) {
  return html`<tr>
    <td data-name="Customer">
      <div>
        ${email ?? ''}
        <p class="mono soft">${id}</p>
        ${subscriptionId ? html`<p class="soft">Project <span class="mono">${subscriptionId}</span></p>` : ''}
      </div>
    </td>
    <td data-name="Cards">
      ${lines(cards.map(({ brand, last4, default: isDefault }) => html`${brand} ${last4}${isDefault ? ' (default)' : ''}`))}
    </td>
    <td data-name="Subscriptions">
      ${lines(subscriptions.map((each) => html`${each.price} <span class="${tones[each.status] ?? 'soft'}">${each.status}</span>`))}
    </td>
    <td data-name="Balance" class="end">${money(balance, currency)}</td>
  </tr>`
}

const tones: Record<string, string> = { active: 'good', past_due: 'bad', incomplete: 'warn' }

export function eventTable(events: EventShown[]) {
  return html`<section class="card scroll" id="events">
    <h2>Newest events</h2>
    ${
      events.length
        ? html`<form method="post">${table(['Event', 'Delivery', ''], events.map(eventRow))}</form>`
        : html`<p class="soft">None yet: every change of a customer, card, subscription or invoice makes one.</p>`
    }
  </section>`
}

function eventRow({ id, type, object, state, attempts }: EventShown) {
  const { words, tone } = stateWords[state]
  const again = state === 'delivered' ? 'Deliver again' : 'Deliver now'
  return html`<tr>
    <td data-name="Event">
      <div>
        ${type}
        <p class="mono soft">${object}</p>
      </div>
    </td>
    <td data-name="Delivery">
      <div>
        <p class="${tone}">${words}</p>
        ${attempts > 1 ? html`<p class="soft">${attempts} attempts</p>` : ''}
      </div>
    </td>
    <td class="end"><button class="small" name="redeliver" value="${id}" aria-label="${again} ${type} ${id}">${again}</button></td>
  </tr>`
}

/** On a phone every row is a card, and every cell says its own name. */
function table(names: string[], rows: Html[]) {
  return html`<table class="stacks">
    <thead>
      <tr>
        ${names.map((name, index) => html`<th class="${index === names.length - 1 ? 'end' : ''}">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

function lines(all: Html[]) {
  return html`<div>${all.length ? all.map((line) => html`<p>${line}</p>`) : html`<p class="soft">None</p>`}</div>`
}
