import { expect, test } from 'vitest'
import { readArguments, UsageError } from '../alone/arguments.ts'

const webhook = [
  '--webhook',
  'http://localhost:3000/webhooks/stripe',
  '--webhook-secret',
  'whsec_1',
]

test('the command npm run sandbox reads its arguments', () => {
  const nothing = {
    port: 4242,
    webhook: undefined,
    databaseUrl: undefined,
    publicUrl: 'http://localhost:4242',
    productUrl: 'http://localhost:4242',
  }
  expect(readArguments(['--port', '4242'])).toEqual(nothing)
  const database = 'postgres://ann@db/sandbox'
  const all = [
    '--port=4242',
    ...webhook,
    '--database',
    database,
    '--public-url',
    'http://sandbox.localhost/',
  ]
  expect(readArguments(all)).toEqual({
    port: 4242,
    webhook: { url: webhook[1], secret: 'whsec_1' },
    databaseUrl: database,
    publicUrl: 'http://sandbox.localhost',
    productUrl: 'http://localhost:3000',
  })
  const product = 'https://projects.example.com'
  expect(readArguments([...all, '--product-url', product]).productUrl).toBe(product)
})

test.each([
  [[], '--port is missing'],
  [['--port', 'eighty'], '--port must be a number from 1 to 65535'],
  [['--port', '65536'], '--port must be'],
  [['--port'], "'--port <value>' argument missing"],
  [['--port', '1', '--prot', '2'], "Unknown option '--prot'"],
  [['--port', '1', 'now'], "Unexpected argument 'now'"],
  [['--port', '1', ...webhook.slice(0, 2)], '--webhook and --webhook-secret belong together'],
  [['--port', '1', ...webhook.slice(2)], '--webhook and --webhook-secret belong together'],
  [['--port', '1', ...webhook.slice(0, 3), 'secret'], '--webhook-secret must be like whsec_…'],
  [
    ['--port', '1', '--webhook', 'localhost:3000', ...webhook.slice(2)],
    '--webhook must be an address that begins with http:// or https://',
  ],
  [
    ['--port', '1', '--database', 'mysql://localhost/x'],
    '--database must be an address that begins with postgres://',
  ],
  [['--port', '1', '--public-url', 'localhost'], '--public-url must be'],
])('the command npm run sandbox refuses the arguments %j with one plain line', (args, why) => {
  const refused = expect(() => readArguments(args))
  refused.toThrow(UsageError)
  refused.toThrow(why)
})
