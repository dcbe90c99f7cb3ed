// Writes schema.json beside this file: JSON Schema of Stripe's objects, read off the type definitions in the installed `stripe` package.
// Run it after an upgrade of that package. It needs the compiler API, which TypeScript 7 no longer has:
//
//   npm install --prefix /tmp/ts5 typescript@5.9.3
//   TYPESCRIPT=/tmp/ts5/node_modules/typescript/lib/typescript.js node tests/stripe/generate-schema.mjs
//
// A generator from npm won't do: the definitions use one name for many types, by namespaces, and so do the generators' definitions.
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const { default: ts } = await import(process.env.TYPESCRIPT ?? 'typescript')

const roots = {
  charge: 'Charge',
  credit_note: 'CreditNote',
  credit_note_line_item: 'CreditNoteLineItem',
  customer: 'Customer',
  dispute: 'Dispute',
  event: 'EventBase',
  invoice: 'Invoice',
  invoice_payment: 'InvoicePayment',
  line_item: 'InvoiceLineItem',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  price: 'Price',
  product: 'Product',
  refund: 'Refund',
  setup_intent: 'SetupIntent',
  subscription: 'Subscription',
  tax_id: 'TaxId',
  webhook_endpoint: 'WebhookEndpoint',
}
/** Written out in full; any other object is only checked to be what it says, which cuts the file to a fifth. */
const written = new Set([...Object.keys(roots), 'list', 'plan', 'subscription_item'])

const entry = fileURLToPath(new URL('./roots.tmp.ts', import.meta.url))
const aliases = Object.values(roots).map((name) => `export type ${name} = Stripe.${name}`)
writeFileSync(entry, [`import type Stripe from 'stripe'`, ...aliases].join('\n'))

const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  types: [],
}
const program = ts.createProgram([entry], options)
const checker = program.getTypeChecker()
const source = program.getSourceFile(entry)
const definitions = {}
const names = new Map()

function schemaOf(type) {
  if (type.isUnion()) return unionOf(type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined)))
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
  if (type.flags & ts.TypeFlags.String) return { type: 'string' }
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' }
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
  // The SDK makes its decimals from strings on the wire.
  if ((type.aliasSymbol ?? type.symbol)?.name === 'Decimal') return { type: 'string' }
  if (isOpenString(type)) return { type: 'string' }
  if (checker.isArrayType(type)) return { type: 'array', items: schemaOf(checker.getTypeArguments(type)[0]) }
  if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return objectOf(type)
  return {}
}

/** Enums are left open for values to come, as `'a' | 'b' | (string & {})`; here only those known so far will do. */
function unionOf(parts) {
  const isLiteral = (part) => part.isStringLiteral()
  const isBoolean = (part) => part.flags & ts.TypeFlags.BooleanLiteral
  const literals = parts.filter(isLiteral).map((part) => part.value)
  const booleans = parts.filter(isBoolean)
  const rest = parts.filter((part) => !isLiteral(part) && !isBoolean(part) && !(literals.length && isOpenString(part)))
  const any = [
    ...(literals.length ? [{ enum: literals }] : []),
    ...(booleans.length === 2 ? [{ type: 'boolean' }] : booleans.map(schemaOf)),
    ...rest.map(schemaOf),
  ]
  return any.length === 1 ? any[0] : { anyOf: any }
}

function isOpenString(type) {
  return type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.String)
}

function objectOf(type) {
  const kind = checker.getPropertyOfType(type, 'object')
  const kindType = kind && checker.getTypeOfSymbolAtLocation(kind, source)
  if (kindType?.isStringLiteral() && !written.has(kindType.value)) {
    return { type: 'object', required: ['object'], properties: { object: { const: kindType.value } } }
  }
  const known = names.get(type)
  if (known) return { $ref: `#/definitions/${known}` }
  const name = `${names.size}_${(type.aliasSymbol ?? type.symbol)?.name.replace(/\W/g, '') ?? 'object'}`
  names.set(type, name)
  const properties = {}
  const required = []
  for (const property of checker.getPropertiesOfType(type)) {
    const propertyType = checker.getTypeOfSymbolAtLocation(property, source)
    if (propertyType.getCallSignatures().length) continue
    properties[property.name] = schemaOf(propertyType)
    if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name)
  }
  const others = checker.getIndexTypeOfType(type, ts.IndexKind.String)
  definitions[name] = {
    type: 'object',
    properties,
    ...(required.length ? { required } : {}),
    ...(others ? { additionalProperties: schemaOf(others) } : {}),
  }
  return { $ref: `#/definitions/${name}` }
}

const byName = {}
source.forEachChild((node) => {
  if (ts.isTypeAliasDeclaration(node)) byName[node.name.text] = schemaOf(checker.getTypeAtLocation(node.type))
})
rmSync(entry)
const schemas = Object.fromEntries(Object.entries(roots).map(([kind, name]) => [kind, byName[name]]))
writeFileSync(new URL('./schema.json', import.meta.url), JSON.stringify({ roots: schemas, definitions }) + '\n')
console.log(`${Object.keys(definitions).length} definitions`)
