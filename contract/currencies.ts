/** The currencies that Stripe takes, lower case: https://docs.stripe.com/currencies. */
export type CurrencyCode =
  | ('aed' | 'afn' | 'all' | 'amd' | 'ang' | 'aoa' | 'ars' | 'aud' | 'awg' | 'azn' | 'bam' | 'bbd')
  | ('bdt' | 'bgn' | 'bhd' | 'bif' | 'bmd' | 'bnd' | 'bob' | 'brl' | 'bsd' | 'bwp' | 'byn' | 'bzd')
  | ('cad' | 'cdf' | 'chf' | 'clp' | 'cny' | 'cop' | 'crc' | 'cve' | 'czk' | 'djf' | 'dkk' | 'dop')
  | ('dzd' | 'egp' | 'etb' | 'eur' | 'fjd' | 'fkp' | 'gbp' | 'gel' | 'gip' | 'gmd' | 'gnf' | 'gtq')
  | ('gyd' | 'hkd' | 'hnl' | 'htg' | 'huf' | 'idr' | 'ils' | 'inr' | 'isk' | 'jmd' | 'jod' | 'jpy')
  | ('kes' | 'kgs' | 'khr' | 'kmf' | 'krw' | 'kwd' | 'kyd' | 'kzt' | 'lak' | 'lbp' | 'lkr' | 'lrd')
  | ('lsl' | 'mad' | 'mdl' | 'mga' | 'mkd' | 'mmk' | 'mnt' | 'mop' | 'mur' | 'mvr' | 'mwk' | 'mxn')
  | ('myr' | 'mzn' | 'nad' | 'ngn' | 'nio' | 'nok' | 'npr' | 'nzd' | 'omr' | 'pab' | 'pen' | 'pgk')
  | ('php' | 'pkr' | 'pln' | 'pyg' | 'qar' | 'ron' | 'rsd' | 'rub' | 'rwf' | 'sar' | 'sbd' | 'scr')
  | ('sek' | 'sgd' | 'shp' | 'sle' | 'sos' | 'srd' | 'std' | 'szl' | 'thb' | 'tjs' | 'tnd' | 'top')
  | ('try' | 'ttd' | 'twd' | 'tzs' | 'uah' | 'ugx' | 'usd' | 'uyu' | 'uzs' | 'vnd' | 'vuv' | 'wst')
  | ('xaf' | 'xcd' | 'xcg' | 'xof' | 'xpf' | 'yer' | 'zar' | 'zmw')

const withoutDigits = /^(bif|clp|djf|gnf|jpy|kmf|krw|mga|pyg|rwf|vnd|vuv|xaf|xof|xpf)$/
const withThreeDigits = /^(bhd|jod|kwd|omr|tnd)$/

/** How many digits of an amount in minor units stand behind the decimal point at Stripe. */
export function digitsOf(currency: string) {
  return withoutDigits.test(currency) ? 0 : withThreeDigits.test(currency) ? 3 : 2
}

/** Of what number of minor units Stripe takes only multiples. */
export function stepOf(currency: string) {
  if (withThreeDigits.test(currency)) return 10
  // Their coins are gone, but Stripe's amounts still have two digits, which are 00.
  return currency === 'isk' || currency === 'ugx' ? 100 : 1
}

/** The amount in minor units of so many whole units. */
export function minorUnits(whole: number, currency: string) {
  return Math.round(whole * 10 ** digitsOf(currency))
}
