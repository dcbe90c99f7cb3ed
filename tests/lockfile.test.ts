import { expect, test } from 'vitest'
import { packages, withoutHash } from '../tools/lockfile.ts'

test('every package in the lockfile has its hash, those for other platforms too', () => {
  expect(withoutHash(packages)).toEqual([])
  const platforms = Object.keys(packages).filter((path) => path.includes('darwin-arm64'))
  expect(platforms.length).toBeGreaterThan(5)
})

test.each([
  ['without a hash', { version: '1.0.0', os: ['darwin'] }],
  ['with a weak hash', { version: '1.0.0', integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
  [
    'from elsewhere',
    { version: '1.0.0', integrity: 'sha512-aa==', resolved: 'https://x.example/' },
  ],
])('npm run check finds a package %s', (_, entry) => {
  const path = 'node_modules/@oxlint/binding-darwin-arm64'
  expect(withoutHash({ ...packages, [path]: entry })).toEqual([path])
})

test('what is no package of the registry needs no hash', () => {
  const own = { '': {}, sandbox: {}, 'node_modules/x': { link: true, resolved: 'sandbox' } }
  const bundled = { 'node_modules/a/node_modules/b': { version: '1.0.0', inBundle: true } }
  expect(withoutHash({ ...own, ...bundled })).toEqual([])
})
