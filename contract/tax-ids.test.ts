import { expect, test } from 'vitest'
import { taxId } from './fields.ts'

test.each([
  ['eu_vat', 'DE 123 456 789', 'DE123456789'],
  ['eu_vat', 'NL 123456789.B01', 'NL123456789B01'],
  ['eu_vat', 'GR123456789', 'EL123456789'],
  ['eu_vat', ' gr 123-456-789', 'EL123456789'],
  ['eu_vat', 'ＤＥ１２３４５６７８９', 'DE123456789'],
  ['eu_vat', 'FR\u00A012\u202F345\u200B678901', 'FR12345678901'],
  ['gb_vat', 'GB 123 4567 89', 'GB123456789'],
  ['au_abn', '12 345 678 912', '12345678912'],
  ['us_ein', '12–3456789', '12-3456789'],
  ['br_cnpj', '01.234.456/5432-10', '01.234.456/5432-10'],
  ['ch_vat', 'CHE-123.456.789  MWST', 'CHE-123.456.789 MWST'],
])('the %s %j is sent as %s', (type, value, sent) => {
  expect(taxId.safeParse({ type, value }).data).toEqual({ type, value: sent })
})

test('a tax id without letters and digits, or with other signs, is refused', () => {
  for (const value of ['', ' \u200B', 'DE_123', 'DE123\n<b>'])
    expect(taxId.safeParse({ type: 'eu_vat', value }).success, value).toBe(false)
})
