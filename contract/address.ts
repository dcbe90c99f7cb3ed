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

function codes(list: string) {
  return list.trim().split(/\s+/)
}
