import { parseArgs } from 'node:util'

export type Arguments = ReturnType<typeof readArguments>

/** An error about wrong arguments, with one line of text for the user. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const usage = `Usage: npm run sandbox -- --port 4242 --webhook http://localhost:3000/webhooks/stripe --webhook-secret whsec_of_my_own_machine

Runs the payment sandbox as a server of its own: its API at /v1, its pages at /sandbox.

  --port N               the port it listens on
  --webhook URL          where it posts events; needs --webhook-secret. Without both it posts none
  --webhook-secret S     the secret that signs events, whsec_…
  --database URL         the PostgreSQL that keeps its data; without it one is started on DATA_DIR (.data/sandbox)
  --public-url URL       the address that browsers open, if not http://localhost:PORT
  --product-url URL      the address of the product, to which 3-D Secure returns, if not that of --webhook

HOST (127.0.0.1) is the address it listens on; one that isn't loopback needs ALLOW_SANDBOX=1. LOG_LEVEL works as for the server.`

const options = {
  port: { type: 'string' },
  webhook: { type: 'string' },
  'webhook-secret': { type: 'string' },
  database: { type: 'string' },
  'public-url': { type: 'string' },
  'product-url': { type: 'string' },
} as const

/** Reads and checks the arguments of `npm run sandbox`. Throws a `UsageError`. */
export function readArguments(args: string[]) {
  const given = parsed(args)
  const port = portOf(given.port)
  const urlOf = (name: keyof typeof given, protocols = ['http:', 'https:']) =>
    checkedUrl(name, given[name], protocols)
  const url = urlOf('webhook')
  const secret = checkedSecret(given['webhook-secret'])
  if ((url === undefined) !== (secret === undefined))
    throw wrong('--webhook and --webhook-secret belong together: give both, or neither')
  const publicUrl = (urlOf('public-url') ?? `http://localhost:${port}`).replace(/\/+$/, '')
  return {
    port,
    webhook: url !== undefined && secret !== undefined ? { url, secret } : undefined,
    databaseUrl: urlOf('database', ['postgres:', 'postgresql:']),
    publicUrl,
    productUrl: new URL(urlOf('product-url') ?? url ?? publicUrl).origin,
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    // Only the first sentence of Node's message is meant for users.
    throw wrong((error as Error).message.split('. ')[0]!)
  }
}

function portOf(value: string | undefined) {
  if (value === undefined) throw wrong('--port is missing')
  const port = Number(value)
  if (!/^\d+$/.test(value) || port < 1 || port > 65535)
    throw wrong('--port must be a number from 1 to 65535')
  return port
}

function checkedUrl(name: string, value: string | undefined, protocols: string[]) {
  if (value === undefined || protocols.includes(URL.parse(value)?.protocol ?? '')) return value
  throw wrong(
    `--${name} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  )
}

function checkedSecret(value: string | undefined) {
  if (value === undefined || /^whsec_\S+$/.test(value)) return value
  throw wrong('--webhook-secret must be like whsec_…')
}

function wrong(what: string) {
  return new UsageError(`${what}. See npm run sandbox -- --help.`)
}
