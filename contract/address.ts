/** Every country and territory of ISO 3166-1, alpha-2. */
export const countries = codes(`
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
  BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
  EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
  HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
  LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
  TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`)

/** Countries whose postal addresses need a state or province. */
export const withState: ReadonlySet<string> = new Set(
  codes('AE AR AU BR CA CL CN CO ES ID IN IT JP KR MX MY PH TH TW US'),
)

/** Countries that have no postal codes in everyday use. */
export const withoutPostalCode: ReadonlySet<string> = new Set(
  codes(`
    AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GH GM GN GQ GY HK IE JM KI
    KM KN LC LY ML MO MR MW NA NR NU PA QA RW SB SC SL SR ST SY TD TG TL TO TT TV TZ UG VU WS YE ZA
    ZW
  `),
)

type Part = 'line1' | 'line2' | 'city' | 'state' | 'postal_code'

const orders: Record<'most' | 'codeFirst' | 'largestFirst', readonly Part[]> = {
  most: ['line1', 'line2', 'city', 'state', 'postal_code'],
  codeFirst: ['line1', 'line2', 'postal_code', 'city', 'state'],
  largestFirst: ['postal_code', 'state', 'city', 'line1', 'line2'],
}
const codeFirst = codes(`
  AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IL IS IT LI LT LU LV MC NL NO PL PT RO RS SE SI SK TR
`)
const largestFirst = codes('CN JP KR TW')

/** The parts of an address in the order in which a country writes them. */
export function addressOrder(country: string) {
  if (largestFirst.includes(country)) return orders.largestFirst
  return codeFirst.includes(country) ? orders.codeFirst : orders.most
}

const regions = {
  state: codes('AU BR IN MX MY US'),
  province: codes('AR CA CN ES ID IT KR TH'),
  prefecture: codes('JP'),
  emirate: codes('AE'),
} as const
const postalCodes = {
  zip: codes('PH US'),
  postcode: codes('AU GB NZ'),
  pin: codes('IN'),
  cep: codes('BR'),
} as const

/** What a country calls its larger parts; undefined: as most do. */
export const regionName = (country: string) => nameIn(regions, country)
/** What a country calls its postal codes; undefined: as most do. */
export const postalCodeName = (country: string) => nameIn(postalCodes, country)

function nameIn<Name extends string>(names: Record<Name, string[]>, country: string) {
  return (Object.keys(names) as Name[]).find((name) => names[name].includes(country))
}

function codes(list: string) {
  return list.trim().split(/\s+/)
}
