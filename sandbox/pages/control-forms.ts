import { html } from 'hono/html'
import type { CustomerShown } from '../control/overview.ts'
import { declineCodes, type Settings } from '../control/settings.ts'

type Option = readonly [value: string | number, words: string]

export function chargesForm({ fail, code, customer }: Settings['charges'], customers: CustomerShown[]) {
  const anybody: Option = ['', 'Anybody']
  const payers = customers.map(({ id, email }): Option => [id, email ?? id])
  return html`<section class="card" id="charges">
    <h2>Charges</h2>
    <form method="post" class="fields">
      ${number('charges[fail]', 'Decline the next', fail, { min: 0, max: 1000, unit: 'charges' })}
      ${select(
        'charges[code]',
        'Because of',
        declineCodes.map((each): Option => [each, each]),
        code,
      )}
      ${select('charges[customer]', 'Of', [anybody, ...payers], customer ?? '')}
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
      ${select('webhooks[mode]', 'What becomes of them', modes, mode)}
      ${number('webhooks[copies]', 'Post each event', copies, { min: 1, max: 10, unit: 'times' })}
      <button>Set webhooks</button>
    </form>
    ${mode === 'hold' && waiting ? releaseForm(waiting) : ''}
  </section>`
}

function releaseForm(waiting: number) {
  return html`<form method="post" class="fields more">
    <p class="soft">Release the ${waiting} held now</p>
    <div class="row">
      <button class="small" name="release[order]" value="recorded">In order</button>
      <button class="small" name="release[order]" value="reversed">Reversed</button>
      <button class="small" name="release[order]" value="shuffled">Shuffled</button>
    </div>
    ${number('release[seed]', 'Shuffled by', 1, { min: 0, max: 999_999, unit: 'seed' })}
  </form>`
}

export function apiForm({ delay, fault, at, skip, times }: Settings['api']) {
  const faults: Option[] = [
    ['', 'Answer'],
    [429, 'Answer 429'],
    [500, 'Answer 500'],
    ['break', 'Break the connection'],
  ]
  const moments: Option[] = [
    ['before', 'Before the work is done'],
    ['after', 'After the work is done'],
  ]
  return html`<section class="card" id="api">
    <h2>API</h2>
    <form method="post" class="fields">
      ${select('api[fault]', 'What it does', faults, fault ?? '')}
      ${number('api[skip]', 'After the next', skip, { min: 0, max: 1000, unit: 'requests' })}
      ${number('api[times]', 'For so many (empty: all)', times ?? '', { min: 1, max: 1000, unit: 'requests' })}
      ${number('api[delay]', 'Wait', delay, { min: 0, max: 600_000, unit: 'ms' })} ${select('api[at]', 'When', moments, at)}
      <button>Set API</button>
    </form>
  </section>`
}

function select(name: string, label: string, options: Option[], chosen: string | number) {
  return html`<label>
    <span>${label}</span>
    <select name="${name}">
      ${options.map(([value, words]) => html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${words}</option>`)}
    </select>
  </label>`
}

function number(name: string, label: string, value: number | '', { min, max, unit }: { min: number; max: number; unit: string }) {
  return html`<label>
    <span>${label}</span>
    <span class="row unit"><input type="number" name="${name}" value="${value}" min="${min}" max="${max}" /> ${unit}</span>
  </label>`
}
