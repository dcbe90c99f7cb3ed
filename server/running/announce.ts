import { product } from '#config/product.ts'
import { inspect } from 'node:util'
import { pino, type Logger } from 'pino'
import { openLogger } from '../platform/log.ts'
import { StartError } from '../platform/start-error.ts'
import { print, printError } from '../platform/terminal.ts'
import { version } from '../platform/version.ts'
import { misspelt, type Env } from './env.ts'

/** People at a terminal read text. Whatever else reads the output gets JSON lines, all alike. */
const isForPeople = (stream: NodeJS.WriteStream) => stream.isTTY

export function announceStart({ role }: Env, log: Logger) {
  if (!isForPeople(process.stdout))
    log.info({ version, node: process.versions.node, role }, `${product.name} starts`)
}

/** Says that the server is ready, and on what it runs, with any LOG_LEVEL. */
export function announce(env: Env, aboutPostgres: string[], log: Logger) {
  const { role, port, publicUrl } = env
  const notes = [
    ...aboutPostgres,
    ...aboutKey(env),
    ...misspelt(process.env),
    ...missingInProduct(product),
  ]
  const ready =
    role === 'worker'
      ? `A worker of ${product.name} is ready: port ${port} answers /healthz, /readyz and /metrics`
      : `${product.name} is ready: ${publicUrl}`
  const on = whatItRunsOn(env)
  if (isForPeople(process.stdout)) print(inLines(ready, on, notes))
  else {
    const { host } = env
    const facts = {
      version,
      role,
      host,
      port,
      url: publicUrl,
      ...on,
      ...(notes.length && { notes }),
    }
    log.child({}, { level: 'info' }).info(facts, ready)
  }
}

function aboutKey({ secretKeys, secretKeyFile }: Env) {
  if (secretKeys || secretKeyFile) return []
  return [
    'The key that seals mailed codes is in the database, so a copy of it can be opened. Set SECRET_KEY before people come.',
  ]
}

type Wanted = { [field in 'helpUrl' | 'supportEmail' | 'termsUrl' | 'privacyUrl']?: string }

/** What people look for in every product, and an adopter has to name. */
export function missingInProduct({ helpUrl, supportEmail, termsUrl, privacyUrl }: Wanted) {
  const wanted = { helpUrl, supportEmail, termsUrl, privacyUrl }
  const missing = Object.entries(wanted).flatMap(([name, value]) => (value ? [] : [name]))
  return missing.length > 0
    ? [`People find no ${missing.join(', ')} here: set them in config/product.ts.`]
    : []
}

function whatItRunsOn(env: Env) {
  const { publicUrl, stripe, stripeApiBase, smtpUrl, databaseUrl, dataDir, hasDev } = env
  const kept = hasDev ? `kept, not sent: ${publicUrl}/dev/mail` : 'not sent, and shown nowhere'
  return {
    data: databaseUrl ? 'the PostgreSQL of DATABASE_URL' : `${dataDir} (PostgreSQL started here)`,
    mail: smtpUrl ? 'sent through SMTP_URL' : `${kept} (set SMTP_URL to send it)`,
    payments: stripe
      ? stripeApiBase
        ? `${stripeApiBase}, instead of Stripe`
        : 'Stripe'
      : `a sandbox, no real money: ${publicUrl}/sandbox (set STRIPE_SECRET_KEY for Stripe)`,
  }
}

function inLines(ready: string, { data, mail, payments }: Record<string, string>, notes: string[]) {
  const lines = [
    ready,
    '',
    `Data       ${data}`,
    `Mail       ${mail}`,
    `Payments   ${payments}`,
    ...notes.map((note) => `Note       ${note}`),
    '',
    'Example people and projects: npm run seed. Stop with Ctrl-C.',
  ]
  return `\n${lines.map((line) => (line ? `  ${line}` : line)).join('\n')}\n`
}

/** Prints why a command failed, and exits with code 1. A `StartError` is printed without its stack. */
export function exitWith(error: unknown): never {
  printError(error instanceof StartError ? error.message : inspect(error))
  process.exit(1)
}

/** The same for the server, whose output may be read by a program. */
export function refuseToStart(error: unknown): never {
  if (isForPeople(process.stderr)) exitWith(error)
  const log = openLogger('fatal', pino.destination({ dest: 2, sync: true }))
  if (error instanceof StartError) log.fatal({ version }, error.message)
  else log.fatal({ version, err: error }, 'the server can not start')
  process.exit(1)
}
