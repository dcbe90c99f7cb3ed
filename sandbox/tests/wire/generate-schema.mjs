// Writes schema.json beside this file: JSON Schema of Stripe's objects and of the parameters and
// answers of each call, from the types in the installed `stripe` package. Run it after an upgrade
// of that package. It needs the compiler API, which TypeScript 7 no longer has:
//
//   npm install --prefix /tmp/ts5 typescript@5.9.3
//   export TYPESCRIPT=/tmp/ts5/node_modules/typescript/lib/typescript.js
//   node sandbox/tests/wire/generate-schema.mjs
//
// Generators from npm don't work here: Stripe's namespaces have many types of the same name, whose
// definitions the generators merge.
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Stripe from 'stripe'

const { default: ts } = await import(process.env.TYPESCRIPT ?? 'typescript')

const roots = {
  account: 'Account',
  charge: 'Charge',
  coupon: 'Coupon',
  credit_note: 'CreditNote',
  credit_note_line_item: 'CreditNoteLineItem',
  customer: 'Customer',
  discount: 'Discount',
  dispute: 'Dispute',
  error: 'PaymentIntent.LastPaymentError',
  event: 'EventBase',
  invoice: 'Invoice',
  invoice_payment: 'InvoicePayment',
  line_item: 'InvoiceLineItem',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  price: 'Price',
  product: 'Product',
  promotion_code: 'PromotionCode',
  refund: 'Refund',
  setup_intent: 'SetupIntent',
  subscription: 'Subscription',
  subscription_schedule: 'SubscriptionSchedule',
  tax_id: 'TaxId',
  webhook_endpoint: 'WebhookEndpoint',
}
/** The calls by their names in the SDK. */
const calls = {
  accounts: ['retrieveCurrent'],
  charges: ['list', 'retrieve'],
  coupons: ['create', 'list', 'retrieve', 'update'],
  creditNotes: ['create', 'list', 'listLineItems', 'preview', 'retrieve'],
  customers:
    `create del list retrieve update listPaymentMethods createBalanceTransaction listBalanceTransactions
    createTaxId deleteTaxId listTaxIds retrieveTaxId`.split(/\s+/),
  disputes: ['close', 'list', 'retrieve'],
  events: ['list', 'retrieve'],
  invoicePayments: ['list', 'retrieve'],
  invoices: [
    'createPreview',
    'finalizeInvoice',
    'list',
    'listLineItems',
    'markUncollectible',
    'pay',
    'retrieve',
    'update',
    'voidInvoice',
  ],
  paymentIntents: ['cancel', 'confirm', 'list', 'retrieve'],
  paymentMethods: ['attach', 'create', 'detach', 'list', 'retrieve', 'update'],
  prices: ['create', 'list', 'retrieve', 'update'],
  products: ['create', 'list', 'retrieve', 'update'],
  promotionCodes: ['create', 'list', 'retrieve', 'update'],
  refunds: ['create', 'list', 'retrieve'],
  setupIntents: ['cancel', 'confirm', 'create', 'list', 'retrieve'],
  subscriptionSchedules: ['cancel', 'create', 'list', 'release', 'retrieve', 'update'],
  subscriptions: ['cancel', 'create', 'list', 'resume', 'retrieve', 'update'],
  'testHelpers.testClocks': ['advance', 'create', 'del', 'list', 'retrieve'],
  webhookEndpoints: ['create', 'del', 'list', 'retrieve', 'update'],
}
/**
 * The objects whose fields the schema contains. For other objects it contains only the kind, which
 * makes the file five times smaller.
 */
const written = new Set([...Object.keys(roots), 'list', 'plan', 'subscription_item'])
const entry = fileURLToPath(new URL('./roots.tmp.ts', import.meta.url))
const aliases = Object.entries(roots).map(
  ([kind, name]) => `export type root_${kind} = Stripe.${name}`,
)
writeFileSync(
  entry,
  [`import type Stripe from 'stripe'`, ...aliases, 'export type root_sdk = Stripe'].join('\n'),
)

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
  if (type.isUnion())
    return unionOf(type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined)))
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return { const: checker.typeToString(type) === 'true' }
  if (type.flags & ts.TypeFlags.String) return { type: 'string' }
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' }
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
  // On the wire, the SDK's decimals are strings.
  if ((type.aliasSymbol ?? type.symbol)?.name === 'Decimal') return { type: 'string' }
  if (isOpenString(type)) return { type: 'string' }
  if (checker.isArrayType(type))
    return { type: 'array', items: schemaOf(checker.getTypeArguments(type)[0]) }
  if (type.isIntersection()) return intersectionOf(type)
  if (type.flags & ts.TypeFlags.Object) return objectOf(type)
  return {}
}

/** Leaves out `lastResponse`, which the SDK adds to each answer. */
function intersectionOf(type) {
  const onWire = type.types.filter((part) => !checker.getPropertyOfType(part, 'lastResponse'))
  return onWire.length === 1 ? schemaOf(onWire[0]) : objectOf(type)
}

/**
 * The SDK's enums allow future values, as in `'a' | 'b' | (string & {})`. The schema allows only
 * the known values.
 */
function unionOf(parts) {
  const isLiteral = (part) => part.isStringLiteral()
  const isBoolean = (part) => part.flags & ts.TypeFlags.BooleanLiteral
  const literals = parts.filter(isLiteral).map((part) => part.value)
  const booleans = parts.filter(isBoolean)
  const rest = parts.filter(
    (part) => !isLiteral(part) && !isBoolean(part) && !(literals.length && isOpenString(part)),
  )
  const all = [
    ...(literals.length ? [{ enum: literals }] : []),
    ...(booleans.length === 2 ? [{ type: 'boolean' }] : booleans.map(schemaOf)),
    ...rest.map(schemaOf),
  ]
  const any = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
  return any.length === 1 ? any[0] : { anyOf: any }
}

function isOpenString(type) {
  return type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.String)
}

function objectOf(type) {
  const kind = checker.getPropertyOfType(type, 'object')
  const kindType = kind && checker.getTypeOfSymbolAtLocation(kind, source)
  if (kindType?.isStringLiteral() && !written.has(kindType.value)) {
    return {
      type: 'object',
      required: ['object'],
      properties: { object: { const: kindType.value } },
    }
  }
  // Hundreds of event types share one definition.
  if (kindType?.isStringLiteral() && kindType.value === 'event' && type !== byName.root_event)
    return schemaOf(byName.root_event)
  const known = names.get(type)
  if (known) return { $ref: `#/definitions/${known}` }
  const name = `${names.size}_${(type.aliasSymbol ?? type.symbol)?.name.replace(/\W/g, '') ?? 'object'}`
  names.set(type, name)
  const properties = {}
  const required = []
  for (const property of checker.getPropertiesOfType(type)) {
    const propertyType = checker.getTypeOfSymbolAtLocation(property, source)
    if (propertyType.getCallSignatures().length) continue
    properties[property.name] = isOpaque(property.name, type) ? {} : schemaOf(propertyType)
    if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name)
  }
  const others = checker.getIndexTypeOfType(type, ts.IndexKind.String)
  // A type without fields means any object, except for parameters: some calls have none.
  const isUnknown = !others && Object.keys(properties).length === 0 && !name.endsWith('Params')
  definitions[name] = {
    type: 'object',
    properties,
    ...(required.length ? { required } : {}),
    ...(isUnknown ? {} : { additionalProperties: others ? schemaOf(others) : false }),
  }
  return { $ref: `#/definitions/${name}` }
}

/** Whether the schema leaves a field unchecked, such as those for each of a hundred ways to pay. */
function isOpaque(property, owner) {
  if (property === 'payment_method_data' || property === 'payment_method_options') return true
  return checker.getPropertyOfType(owner, 'card') !== undefined && waysToPay.has(property)
}

const byName = {}
source.forEachChild((node) => {
  if (ts.isTypeAliasDeclaration(node)) byName[node.name.text] = checker.getTypeAtLocation(node.type)
})

/** The parameters and answer of a call from the SDK's types, and its method and path. */
function operationOf(resource, name) {
  const owner = resource.split('.').reduce((type, step) => propertyOf(type, step), byName.root_sdk)
  const [signature] = propertyOf(owner, name).getCallSignatures()
  const parameters = signature.getParameters()
  const at = parameters.findIndex((parameter) => parameter.name === 'params')
  const params =
    at < 0
      ? undefined
      : checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameters[at], source))
  const ids = parameters.slice(0, Math.max(at, 0)).map((_, index) => (index === 0 ? 'ID' : 'PART'))
  const { method, path } = addressOf(resource, name, ids)
  const answer = schemaOf(checker.getAwaitedType(signature.getReturnType()))
  return { method, path, ...(params ? { params: schemaOf(params) } : {}), answer }
}

function propertyOf(type, name) {
  return checker.getTypeOfSymbolAtLocation(checker.getPropertyOfType(type, name), source)
}

function addressOf(resource, name, ids) {
  const owner = resource
    .split('.')
    .reduce((object, step) => object[step], new Stripe('sk_test_nobody'))
  const asked = {
    _makeRequest: (method, path) => ({
      method,
      path: path.replace('ID', ':id').replace('PART', ':part'),
    }),
  }
  return Object.getPrototypeOf(owner)[name].call(asked, ...ids)
}

const waysToPay = new Set(
  propertyOf(byName.root_payment_method, 'type').types.flatMap((type) =>
    type.isStringLiteral() ? [type.value] : [],
  ),
)
waysToPay.delete('card')

rmSync(entry)
const schemas = Object.fromEntries(
  Object.keys(roots).map((kind) => [kind, schemaOf(byName[`root_${kind}`])]),
)
const operations = Object.entries(calls).flatMap(([resource, names]) =>
  names.map((name) => operationOf(resource, name)),
)
writeFileSync(
  new URL('./schema.json', import.meta.url),
  JSON.stringify({ version: Stripe.API_VERSION, roots: schemas, operations, definitions }) + '\n',
)
console.log(`${operations.length} calls, ${Object.keys(definitions).length} definitions`)
