// Writes examples.json beside this file: the keys and JSON types of Stripe's public example
// objects, for the kinds that the sandbox has. They are in openapi/fixtures3.json of
// https://github.com/stripe/openapi (MIT license):
//
//   node sandbox/tests/wire/prune-examples.mjs fixtures3.json COMMIT
import { readFileSync, writeFileSync } from 'node:fs'

const kinds = `
  account charge coupon credit_note credit_note_line_item customer deleted_customer deleted_tax_id deleted_webhook_endpoint discount
  dispute event invoice invoice_payment line_item payment_intent payment_method plan price product promotion_code refund setup_intent
  subscription subscription_item subscription_schedule tax_id webhook_endpoint
`
  .trim()
  .split(/\s+/)
/** Objects with arbitrary keys. */
const open = new Set(['metadata', 'data.object'])

function shapeOf(value, path) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.slice(0, 1).map((each) => shapeOf(each, path))
  if (typeof value !== 'object') return typeof value
  if (open.has(path) || open.has(path.split('.').at(-1))) return {}
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shapeOf(each, path ? `${path}.${key}` : key)]),
  )
}

const [file, commit] = process.argv.slice(2)
const { resources } = JSON.parse(readFileSync(file, 'utf8'))
const shapes = Object.fromEntries(kinds.map((kind) => [kind, shapeOf(resources[kind], '')]))
const source = `https://github.com/stripe/openapi/blob/${commit}/openapi/fixtures3.json (MIT license)`
writeFileSync(
  new URL('./examples.json', import.meta.url),
  JSON.stringify({ source, shapes }, null, 1) + '\n',
)
