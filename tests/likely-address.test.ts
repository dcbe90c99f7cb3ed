import { expect, test } from 'vitest'
import { likelyAddress } from '../client/components/likely-address.ts'

test('an address with one mistake in a well-known domain is asked about, and no other one', () => {
  const asked = ['gmial.com', 'gmai.com', 'gmail.con', 'gmaill.com', 'gmail.co', 'gnail.com']
  for (const domain of asked) expect(likelyAddress(` Ann@${domain}`)).toBe('ann@gmail.com')
  expect(likelyAddress('ann@hotmial.com')).toBe('ann@hotmail.com')
  expect(likelyAddress('ann@outlok.com')).toBe('ann@outlook.com')
  expect(likelyAddress('ann@yaho.co.jp')).toBe('ann@yahoo.co.jp')
  const others = ['gmail.com', 'mail.com', 'gmx.de', 'hotmail.fr', 'example.com', 'yahoo.co.uk']
  for (const domain of others) expect(likelyAddress(`ann@${domain}`), domain).toBeUndefined()
  expect(likelyAddress('no address')).toBeUndefined()
})
