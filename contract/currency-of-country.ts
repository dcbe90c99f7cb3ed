/** The countries that pay in a currency whose code begins with that of another country, or of none. */
const countriesOf: Record<string, string> = {
  aud: 'CC CX HM KI NF NR TV',
  chf: 'LI',
  dkk: 'FO GL',
  eur: `AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI
    SK SM TF VA XK YT`,
  gbp: 'GG GS IM JE',
  ils: 'PS',
  mad: 'EH',
  nok: 'BV SJ',
  nzd: 'CK NU PN TK',
  usd: 'AS BQ EC FM GU IO MH MP PA PR PW SV TC TL UM VG VI',
  xaf: 'CF CG CM GA GQ TD',
  xcd: 'AG AI DM GD KN LC MS VC',
  xcg: 'CW SX',
  xof: 'BF BJ CI GW ML NE SN TG',
  xpf: 'NC PF WF',
}

/** The one of these currencies that people in a country pay in, if there is one. */
export function currencyOfCountry<Code extends string>(
  country: string,
  currencies: readonly Code[],
) {
  return (
    currencies.find((code) => code.startsWith(country.toLowerCase())) ??
    currencies.find((code) => countriesOf[code]?.split(/\s+/).includes(country))
  )
}

/** The one of these currencies that is paid in the region of the first language that has a region. */
export function currencyOfLanguages<Code extends string>(
  languages: readonly string[],
  currencies: readonly Code[],
) {
  const regions = languages.flatMap((tag) => /-([A-Z]{2})(?:-|$)/.exec(tag)?.[1] ?? [])
  return regions[0] && currencyOfCountry(regions[0], currencies)
}
