/** Formats dates, numbers and names in English. Times are given in seconds and shown in UTC. */

const utc = { timeZone: 'UTC' } as const
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', ...utc })
const moments = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long', ...utc })
const countries = new Intl.DisplayNames('en', { type: 'region' })

export function date(at: number) {
  return dates.format(at * 1000)
}

export function period({ start, end }: { start: number; end: number }) {
  return `${date(start)} – ${date(end)}`
}

export function moment(at: number) {
  return moments.format(at * 1000)
}

/** The English name of a country, from its two-letter code. */
export function country(code: string) {
  return (/^[A-Za-z]{2}$/.test(code) ? countries.of(code) : undefined) ?? code
}

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** A card's brand as it writes itself. */
export function brandName(brand: string) {
  return brands[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
}

/** A count with its noun: `1 event`, `2 events`. */
export function counted(count: number, noun: string) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
