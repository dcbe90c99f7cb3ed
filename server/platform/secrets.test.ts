import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newKey, openSecrets, parseKeys } from './secrets.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]

test('what is sealed is opened by its key alone, and only for its purpose', () => {
  const sealed = openSecrets([first]).seal('mailed code', 'a code')
  expect(sealed).not.toContain('code')
  expect(openSecrets([first]).open('mailed code', sealed)).toBe('a code')
  expect(openSecrets([first]).open('payment', sealed)).toBeUndefined()
  expect(openSecrets([second]).open('mailed code', sealed)).toBeUndefined()
  expect(openSecrets([first]).seal('mailed code', 'a code')).not.toBe(sealed)
})

test.each([
  ['cut', (sealed: string) => sealed.slice(0, -4)],
  ['changed', (sealed: string) => `${sealed.slice(0, -4)}AAAA`],
  ['nothing', () => 'sealed:'],
  ['no seal', () => 'a code'],
])('a sealed text that is %s is not opened', (_, change) => {
  const secrets = openSecrets([first])
  expect(secrets.open('mailed code', change(secrets.seal('mailed code', 'a code')))).toBeUndefined()
})

test('of several keys the first seals and signs, and all of them open and accept', () => {
  const [former, both] = [openSecrets([first]), openSecrets([second, first])]
  expect(both.open('payment', former.seal('payment', 'a secret'))).toBe('a secret')
  expect(former.open('payment', both.seal('payment', 'a secret'))).toBeUndefined()
  expect(both.isSigned('quote', 'a price', former.sign('quote', 'a price'))).toBe(true)
  expect(former.isSigned('quote', 'a price', both.sign('quote', 'a price'))).toBe(false)
  expect(both.isSigned('device', 'a price', former.sign('quote', 'a price'))).toBe(false)
  expect(both.fingerprints[1]).toBe(former.fingerprints[0])
})

test('what was signed before there was a key counts for devices, and never for quotes', () => {
  const secrets = openSecrets([first], (purpose, value) => `${purpose} ${value}`)
  expect(secrets.isSigned('device', 'a', 'device a')).toBe(true)
  expect(secrets.isSigned('quote', 'a', 'quote a')).toBe(false)
  expect(secrets.sign('device', 'a')).not.toBe('device a')
})

test.each([
  [first.toString('base64'), [first]],
  [first.toString('base64url'), [first]],
  [first.toString('hex').toUpperCase(), [first]],
  [`${first.toString('hex')}, ${second.toString('base64')}`, [first, second]],
  ['secret', undefined],
  [randomBytes(31).toString('base64'), undefined],
  [randomBytes(24).toString('hex'), undefined],
  [`${first.toString('hex')},`, undefined],
  [`${first.toString('hex')},secret`, undefined],
  [first.toString('base64').replace(/.$/, '…'), undefined],
])('%s is read as keys of 32 bytes or more, or refused', (text, keys) => {
  expect(parseKeys(text)).toEqual(keys)
})

test('a new key is one that is accepted', () => {
  expect(parseKeys(newKey())).toHaveLength(1)
})
