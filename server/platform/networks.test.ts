import { expect, test } from 'vitest'
import { networkOf, networksOf, parseTrustedProxies, visitorAddress } from './networks.ts'

test.each([
  ['0', '203.0.113.9', '198.51.100.1'],
  ['1', '203.0.113.9', '203.0.113.9'],
  ['true', '203.0.113.9', '203.0.113.9'],
  ['1', 'made up, 203.0.113.9', '203.0.113.9'],
  ['2', 'made up, 203.0.113.9, 10.0.0.1', '203.0.113.9'],
  ['2', '203.0.113.9', '198.51.100.1'],
  ['1', '', '198.51.100.1'],
  ['1', 'unknown', '198.51.100.1'],
  ['1', '203.0.113.9:4711', '203.0.113.9'],
  ['1', '[2001:DB8::1]:443', '2001:db8::1'],
  ['1', '2001:db8:0:0::1', '2001:db8::1'],
  ['1', 'fe80::1%eth0', 'fe80::1'],
  ['1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['1', '[::FFFF:cb00:7109]', '203.0.113.9'],
  ['1', '203.0.113.9.1', '198.51.100.1'],
  ['198.51.100.0/24', '203.0.113.9', '203.0.113.9'],
  ['198.51.100.1', 'made up, 203.0.113.9', '203.0.113.9'],
  ['198.51.100.0/24, 10.0.0.0/8', 'made up, 203.0.113.9, 10.0.0.1, 198.51.100.7', '203.0.113.9'],
  ['198.51.100.0/24', '203.0.113.9, 10.0.0.1', '10.0.0.1'],
  ['198.51.100.0/24', '198.51.100.9', '198.51.100.9'],
  ['198.51.100.0/24', 'unknown, 198.51.100.9', '198.51.100.1'],
  ['10.0.0.0/8', '203.0.113.9', '198.51.100.1'],
  ['2001:db8::/32, 198.51.100.0/24', '203.0.113.9, 2001:db8::5', '203.0.113.9'],
])(
  'with TRUST_PROXY=%s and X-Forwarded-For: %s the visitor’s address is %s',
  (trusted, forwarded, visitor) => {
    expect(visitorAddress('::ffff:198.51.100.1', forwarded, parseTrustedProxies(trusted)!)).toBe(
      visitor,
    )
  },
)

test('without the header X-Forwarded-For the visitor’s address is that of the connection', () => {
  for (const trusted of ['0', '1', '198.51.100.0/24'])
    expect(visitorAddress('198.51.100.1', undefined, parseTrustedProxies(trusted)!)).toBe(
      '198.51.100.1',
    )
  expect(visitorAddress(undefined, undefined, 0)).toBe('unknown')
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('the address %s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('an IPv6 address belongs to a /64, a /56 and a /48, and an IPv4 address to itself', () => {
  expect(networksOf('2001:db8:1:2a3b::7')).toEqual([
    '2001:db8:1:2a3b::/64',
    '2001:db8:1:2a00::/56',
    '2001:db8:1::/48',
  ])
  expect(networksOf('2001:db8::7')).toEqual([
    '2001:db8:0:0::/64',
    '2001:db8:0:0::/56',
    '2001:db8:0::/48',
  ])
  expect(networksOf('203.0.113.9')).toEqual(['203.0.113.9'])
})
