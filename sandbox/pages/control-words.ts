import type { Settings } from '../control/settings.ts'
import type { Reader } from './reader.ts'

/** A sentence for all that is not as normal; sentences that belong together in one list. */
export function deviations(settings: Settings, held: number, reading: Reader): string[][] {
  const { charges, webhooks, api } = settings
  return [
    ofCharges(charges, reading),
    ofWebhooks(webhooks, held, reading),
    ofApi(api, reading),
  ].filter((said) => said.length > 0)
}

function ofCharges({ fail: count, code, customer }: Settings['charges'], { t }: Reader) {
  if (!count) return []
  const reason = t(`sandbox.control.charges.codes.${code}`)
  return [
    customer
      ? t('sandbox.control.charges.failingOf', { count, customer, reason })
      : t('sandbox.control.charges.failing', { count, reason }),
  ]
}

function ofWebhooks({ mode, copies }: Settings['webhooks'], held: number, { t }: Reader) {
  return [
    ...(mode === 'hold' ? [t('sandbox.control.webhooks.held', { count: held })] : []),
    ...(mode === 'drop' ? [t('sandbox.control.webhooks.dropped')] : []),
    ...(copies > 1 ? [t('sandbox.control.webhooks.copied', { count: copies })] : []),
  ]
}

function ofApi({ fault, at, skip, times, delay }: Settings['api'], { t }: Reader) {
  const failing = fault && [
    t(`sandbox.control.api.failing.${fault}`),
    t(`sandbox.control.api.failingAt.${at}`),
    times === null
      ? t('sandbox.control.api.failingAlways')
      : t('sandbox.control.api.failingTimes', { count: times }),
    ...(skip ? [t('sandbox.control.api.failingAfter', { count: skip })] : []),
  ]
  return [
    ...(failing ?? []),
    ...(delay > 0 ? [t(`sandbox.control.api.waiting.${at}`, { delay })] : []),
  ]
}
