import { digitsOf, minorUnits } from '#contract/currencies.ts'
import { formatMoney } from '#contract/money.ts'
import { nextCharge } from '#contract/next-charge.ts'
import { record } from '../../server/activity/record.ts'
import { withBillingLease } from '../../server/billing/lease.ts'
import { syncProviderSubscription } from '../../server/billing/sync.ts'
import { newId } from '../../server/platform/ids.ts'
import { StartError } from '../../server/platform/start-error.ts'
import { chargesOf } from '../../server/store/charges.ts'
import { orSay, type Answer, type Desk } from './command.ts'
import { inUtc } from './in-words.ts'
import { busy, named, requireActive } from './project-acts.ts'
import { money } from './project.ts'

const unsure =
  'The payment provider did not answer, so the discount may be given or not. Run the same command again.'

/** Takes a part or an amount off each payment, in place of what was taken off before. */
export async function discount(
  { services, operator }: Desk,
  id: string,
  wanted: string,
  time?: string,
): Promise<Answer> {
  const { payments, store, transaction } = services
  const { currency, providerSubscriptionId } = await requireActive(id, services)
  if (currency === null || providerSubscriptionId === null)
    throw new StartError(`The project ${id} pays nothing.`)
  const off = readOff(wanted, currency)
  const months = off ? readMonths(time) : undefined
  const change = { providerSubscriptionId, off, months, attempt: newId() }
  await orSay({ billingBusy: busy, paymentsUnavailable: unsure }, () =>
    withBillingLease(id, services, async () => {
      await payments.setDiscount(change)
      await syncProviderSubscription(providerSubscriptionId, services)
    }),
  )
  const said = off && ('percent' in off ? `${off.percent}%` : formatMoney(off.amount, currency))
  await transaction((services) =>
    record(
      said ? 'discountGiven' : 'discountRemoved',
      { by: operator, in: id, ...(said && { details: { discount: said } }) },
      services,
    ),
  )
  const row = (await store.billing.find(id))!
  const next = nextCharge(chargesOf(row))
  const charge = next === undefined ? undefined : await payments.previewNext(providerSubscriptionId)
  const given = said ? `gets ${said} off ${lengthOf(months)}` : 'gets no discount any more'
  const payment =
    next !== undefined && charge
      ? `The next payment is ${formatMoney(charge.due, currency)}, at ${inUtc(new Date(next * 1000))}.`
      : 'No further payment is planned.'
  return {
    said: `${named(row)} ${given}. ${payment}`,
    id,
    discount: row.discount,
    next: charge ? money(charge.due, currency) : null,
  }
}

function lengthOf(months: number | undefined) {
  if (months === undefined) return 'for as long as it pays'
  return months === 1 ? 'for a month' : `for ${months} months`
}

function readOff(text: string, currency: string) {
  if (text === '0') return null
  const [, percent] = text.match(/^(\d{1,3}(?:\.\d{1,2})?)%$/) ?? []
  if (Number(percent) > 0 && Number(percent) <= 100) return { percent: Number(percent) }
  const amount = minorUnits(Number(text), currency)
  const decimals = text.split('.')[1] ?? ''
  if (!/^\d{1,9}(\.\d+)?$/.test(text) || decimals.length > digitsOf(currency) || amount === 0)
    throw new StartError(`${text} is no discount. Write it like 20% or 5.00, or 0 for none.`)
  return { amount }
}

function readMonths(text: string | undefined) {
  if (text === 'forever') return undefined
  if (text === undefined || !/^[1-9]\d?$/.test(text))
    throw new StartError('For how many months? Write a number up to 99, or “forever”.')
  return Number(text)
}
