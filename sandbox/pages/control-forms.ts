import { html } from 'hono/html'
import { outcomes, type Settings } from '../control/settings.ts'
import { orders } from './control-command.ts'
import type { CustomerShown } from './control-overview.ts'
import { counted } from './format.ts'

type Option = readonly [value: string | number, words: string]

export const chargeOutcomes: Record<(typeof outcomes)[number], string> = {
  generic_decline: 'No reason given',
  insufficient_funds: 'Insufficient funds',
  expired_card: 'Expired card',
  processing_error: 'Processing error',
  processing: 'The bank answers half a day later',
}

export const faults: Option[] = [
  ['', 'Answer'],
  [401, 'Answer 401'],
  ['expired', 'Answer 401 (expired key)'],
  [403, 'Answer 403'],
  [409, 'Answer 409'],
  [429, 'Answer 429'],
  ['locked', 'Answer 429 (locked object)'],
  [500, 'Answer 500'],
  ['break', 'Break the connection'],
]

export function chargesForm(
  { fail, code, customer }: Settings['charges'],
  customers: CustomerShown[],
) {
  const payers = customers.map(({ id, email }): Option => [id, email ?? id])
  return html`<section class="card" id="charges">
    <h2>Charges</h2>
    <form method="post" class="fields">
      ${number('charges[fail]', 'Charges to decline', fail, { min: 0, max: 1000 })}
      ${select('charges[code]', 'Reason', Object.entries(chargeOutcomes), code)}
      ${select('charges[customer]', 'Customer', [['', 'Any'], ...payers], customer ?? '')}
      <button>Set charges</button>
    </form>
  </section>`
}

export function webhooksForm({ mode, copies }: Settings['webhooks'], waiting: number) {
  const modes: Option[] = [
    ['deliver', 'Deliver'],
    ['hold', 'Hold'],
    ['drop', 'Drop'],
  ]
  return html`<section class="card" id="webhooks">
    <h2>Webhooks</h2>
    <form method="post" class="fields">
      ${select('webhooks[mode]', 'What happens to them', modes, mode)}
      ${number('webhooks[copies]', 'How often each event is posted', copies, { min: 1, max: 10 })}
      <button>Set webhooks</button>
    </form>
    ${mode === 'hold' && waiting ? releaseForm(waiting) : ''}
  </section>`
}

function releaseForm(waiting: number) {
  return html`<form method="post" class="fields more">
    <p class="soft">Release ${counted(waiting, 'held event')}</p>
    <div class="row">
      ${orders.map(
        (order) =>
          html`<button class="small" name="release[order]" value="${order}">
            ${{ recorded: 'In order', reversed: 'Reversed', shuffled: 'Shuffled' }[order]}
          </button>`,
      )}
    </div>
    ${number('release[seed]', 'Seed of the shuffle', 1, { min: 0, max: 999_999 })}
  </form>`
}

export function apiForm({ delay, fault, at, skip, times }: Settings['api']) {
  const moments: Option[] = [
    ['before', 'Before the work is done'],
    ['after', 'After the work is done'],
  ]
  return html`<section class="card" id="api">
    <h2>API</h2>
    <form method="post" class="fields">
      ${select('api[fault]', 'What it does', faults, fault ?? '')}
      ${number('api[skip]', 'Requests answered as normal first', skip, { min: 0, max: 1000 })}
      ${number('api[times]', 'Requests with the fault (empty: all)', times ?? '', { min: 1, max: 1000 })}
      ${number('api[delay]', 'Wait (milliseconds)', delay, { min: 0, max: 600_000 })}
      ${select('api[at]', 'When', moments, at)}
      <button>Set API</button>
    </form>
  </section>`
}

function select(name: string, label: string, options: readonly Option[], chosen: string | number) {
  return html`<label>
    <span>${label}</span>
    <select name="${name}">
      ${options.map(([value, words]) => html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${words}</option>`)}
    </select>
  </label>`
}

function number(
  name: string,
  label: string,
  value: number | '',
  { min, max }: { min: number; max: number },
) {
  return html`<label>
    <span>${label}</span>
    <input type="number" name="${name}" value="${value}" min="${min}" max="${max}" />
  </label>`
}
