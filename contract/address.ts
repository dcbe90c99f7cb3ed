/** Countries whose postal addresses need a state or province. ISO 3166-1 alpha-2. */
export const withState: ReadonlySet<string> = new Set(['AE', 'AR', 'AU', 'BR', 'CA', 'CL', 'CN', 'CO', 'ES', 'ID', 'IN', 'IT', 'JP', 'KR', 'MX', 'MY', 'PH', 'TH', 'TW', 'US'])

/** Countries that have no postal codes in everyday use. */
export const withoutPostalCode: ReadonlySet<string> = new Set(['AE', 'AG', 'AO', 'AW', 'BF', 'BI', 'BJ', 'BO', 'BS', 'BW', 'BZ', 'CD', 'CF', 'CG', 'CI', 'CK', 'CM', 'DJ', 'DM', 'ER', 'FJ', 'GA', 'GD', 'GH', 'GM', 'GN', 'GQ', 'GY', 'HK', 'IE', 'JM', 'KI', 'KM', 'KN', 'LC', 'LY', 'ML', 'MO', 'MR', 'MW', 'NA', 'NR', 'NU', 'PA', 'QA', 'RW', 'SB', 'SC', 'SL', 'SR', 'ST', 'SY', 'TD', 'TG', 'TL', 'TO', 'TT', 'TV', 'TZ', 'UG', 'VU', 'WS', 'YE', 'ZA', 'ZW'])
