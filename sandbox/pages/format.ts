/** Formats dates, numbers and names in English. Times are given in seconds and shown in UTC. */

export function date(at: number) {
  return inUtc(at, { dateStyle: 'medium' })
}

export function period({ start, end }: { start: number; end: number }) {
  return `${date(start)} – ${date(end)}`
}

export function moment(at: number) {
  return inUtc(at, { dateStyle: 'full', timeStyle: 'long' })
}

function inUtc(at: number, styles: Intl.DateTimeFormatOptions) {
  return new Date(at * 1000).toLocaleString('en', { ...styles, timeZone: 'UTC' })
}

/** The English name of a country, from its two-letter code. */
export function country(code: string) {
  return (
    (/^[A-Za-z]{2}$/.test(code)
      ? new Intl.DisplayNames('en', { type: 'region' }).of(code)
      : undefined) ?? code
  )
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
