import { html } from 'hono/html'
import { orders } from '../control/arranged.ts'
import type { CustomerShown } from '../control/overview.ts'
import { outcomes, type Settings } from '../control/settings.ts'
import type { Reader } from './reader.ts'

type Option = readonly [value: string | number, words: string]

export function chargesForm(
  { fail, code, customer }: Settings['charges'],
  customers: CustomerShown[],
  { t }: Reader,
) {
  const anybody: Option = ['', t('sandbox.control.anybody')]
  const payers = customers.map(({ id, email }): Option => [id, email ?? id])
  const codes = outcomes.map((each): Option => [each, t(`sandbox.control.charges.codes.${each}`)])
  return html`<section class="card" id="charges">
    <h2>${t('sandbox.control.charges.title')}</h2>
    <form method="post" class="fields">
      ${number('charges[fail]', t('sandbox.control.charges.fail'), fail, { min: 0, max: 1000 })}
      ${select('charges[code]', t('sandbox.control.charges.code'), codes, code)}
      ${select('charges[customer]', t('sandbox.control.charges.customer'), [anybody, ...payers], customer ?? '')}
      <button>${t('sandbox.control.charges.set')}</button>
    </form>
  </section>`
}

export function webhooksForm(
  { mode, copies }: Settings['webhooks'],
  waiting: number,
  reading: Reader,
) {
  const { t } = reading
  const modes = (['deliver', 'hold', 'drop'] as const).map((each): Option => [
    each,
    t(`sandbox.control.webhooks.modes.${each}`),
  ])
  return html`<section class="card" id="webhooks">
    <h2>${t('sandbox.control.webhooks.title')}</h2>
    <form method="post" class="fields">
      ${select('webhooks[mode]', t('sandbox.control.webhooks.mode'), modes, mode)}
      ${number('webhooks[copies]', t('sandbox.control.webhooks.copies'), copies, { min: 1, max: 10 })}
      <button>${t('sandbox.control.webhooks.set')}</button>
    </form>
    ${mode === 'hold' && waiting ? releaseForm(waiting, reading) : ''}
  </section>`
}

function releaseForm(waiting: number, { t }: Reader) {
  return html`<form method="post" class="fields more">
    <p class="soft">${t('sandbox.control.webhooks.release', { count: waiting })}</p>
    <div class="row">
      ${orders.map(
        (order) =>
          html`<button class="small" name="release[order]" value="${order}">
            ${t(`sandbox.control.webhooks.orders.${order}`)}
          </button>`,
      )}
    </div>
    ${number('release[seed]', t('sandbox.control.webhooks.seed'), 1, { min: 0, max: 999_999 })}
  </form>`
}

export function apiForm({ delay, fault, at, skip, times }: Settings['api'], { t }: Reader) {
  const faults: Option[] = [
    ['', t('sandbox.control.api.faults.none')],
    ...([401, 'expired', 403, 409, 429, 'locked', 500, 'break'] as const).map((each): Option => [
      each,
      t(`sandbox.control.api.faults.${each}`),
    ]),
  ]
  const moments = (['before', 'after'] as const).map((each): Option => [
    each,
    t(`sandbox.control.api.moments.${each}`),
  ])
  return html`<section class="card" id="api">
    <h2>${t('sandbox.control.api.title')}</h2>
    <form method="post" class="fields">
      ${select('api[fault]', t('sandbox.control.api.fault'), faults, fault ?? '')}
      ${number('api[skip]', t('sandbox.control.api.skip'), skip, { min: 0, max: 1000 })}
      ${number('api[times]', t('sandbox.control.api.times'), times ?? '', { min: 1, max: 1000 })}
      ${number('api[delay]', t('sandbox.control.api.delay'), delay, { min: 0, max: 600_000 })}
      ${select('api[at]', t('sandbox.control.api.at'), moments, at)}
      <button>${t('sandbox.control.api.set')}</button>
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
