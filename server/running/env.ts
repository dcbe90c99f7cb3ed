import { product } from '#config/product.ts'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { isLoopback, parseTrustedProxies } from '../platform/networks.ts'
import { firebaseSettings, firebaseVariables } from '../providers/identity/firebase/settings.ts'
import { isSafe } from '../providers/sign-in/client.ts'
import { signInSettings } from '../providers/sign-in/sign-in-providers.ts'
import { didYouMean } from '../../scripts/commands.mjs'
import { parseKeys } from '../platform/secrets.ts'
import { StartError } from '../platform/start-error.ts'

export type Env = ReturnType<typeof readEnv>

const flag = z._default(
  z.stringbool({ truthy: ['1', 'true'], falsy: ['0', 'false'], case: 'sensitive' }),
  false,
)
const flagInWords = '1 or true, 0 or false'
const text = (pattern: RegExp) => z.string().check(z.regex(pattern))
const url = (protocol: RegExp) => z.url({ protocol })

const origin = url(/^https?$/).check(
  z.refine((value) => {
    const at = URL.parse(value)
    return at !== null && at.username + at.search + at.hash === '' && at.pathname === '/'
  }),
)
const rangeUrl = url(/^https?$/).check(
  z.refine((value) => {
    const at = URL.parse(value)
    return (
      at !== null && at.username + at.password + at.search + at.hash === '' && at.href.endsWith('/')
    )
  }),
  z.refine(isSafe),
)
const origins = z.pipe(
  z._default(z.string(), ''),
  z.pipe(
    z.transform((value: string) => value.split(/[\s,]+/).filter(Boolean)),
    z.array(origin.check(z.refine(isSafe))),
  ),
)
const port = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(65535))
const database = z.optional(url(/^postgres(ql)?$/))
const role = z.enum(['all', 'web', 'worker'])
const connections = z.coerce.number().check(z.int(), z.minimum(2), z.maximum(500))
const stopDelay = z._default(z.coerce.number().check(z.minimum(0), z.maximum(600)), 0)
const ratio = z.coerce.number().check(z.minimum(0), z.maximum(1))
const samplers = ['always_on', 'always_off', 'traceidratio'] as const
const sampler = z.enum([...samplers, ...samplers.map((name) => `parentbased_${name}` as const)])
const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
const trustedProxies = z.pipe(
  z._default(z.string().check(z.refine((value) => parseTrustedProxies(value) !== undefined)), '0'),
  z.transform((value) => parseTrustedProxies(value)!),
)
const keys = z.pipe(
  z.string().check(z.refine((value) => parseKeys(value) !== undefined)),
  z.transform((value) => parseKeys(value)!),
)

/** Anybody may try secrets of ours that requests bring, as often as they like. */
const secretLength = 20
const notGuessed = z.minLength(secretLength)

const databaseInWords = 'an address like postgres://user:password@host:5432/database'

/** The schema of each environment variable, and a valid value in words for the error message. */
const variables = {
  PORT: [z._default(port, 3000), 'a port number from 1 to 65535'],
  HOST: [z._default(text(/^[\w.:-]+$/), '127.0.0.1'), 'an address or a host name'],
  PUBLIC_URL: [
    z.optional(origin),
    'an address like https://projects.example.com, with nothing after the host or port',
  ],
  ALLOWED_ORIGINS: [
    origins,
    'addresses like https://tools.example.com, with commas between them and nothing after the host or port',
  ],
  DATA_DIR: [z._default(text(/./), '.data'), 'a folder'],
  DATABASE_URL: [database, databaseInWords],
  DATABASE_DIRECT_URL: [database, databaseInWords],
  DATABASE_NAMED: [flag, flagInWords],
  DATABASE_POOL: [z.optional(connections), 'a number of connections from 2 to 500'],
  ROLE: [z._default(role, 'all'), 'all, web or worker'],
  SECRET_KEY: [
    z.optional(keys),
    'at least 32 random bytes in base64 or hex, as openssl rand -base64 32 prints them, or several of these with commas between them',
  ],
  SECRET_KEY_FILE: [z.optional(text(/./)), 'a path'],
  STRIPE_SECRET_KEY: [z.optional(text(/^(sk|rk)_\w+$/)), 'a secret key of Stripe, sk_…'],
  STRIPE_PUBLISHABLE_KEY: [z.optional(text(/^pk_\w+$/)), 'a publishable key of Stripe, pk_…'],
  STRIPE_WEBHOOK_SECRET: [
    z.optional(text(/^whsec_\S+$/).check(notGuessed)),
    `the signing secret of a webhook endpoint, whsec_…, of at least ${secretLength} characters`,
  ],
  STRIPE_API_BASE: [
    z.optional(origin),
    'an address like http://localhost:4242, with nothing after the host or port',
  ],
  STRIPE_TAX: [flag, flagInWords],
  STRIPE_UNPAID: [z._default(z.enum(['void', 'uncollectible']), 'void'), 'void or uncollectible'],
  IDENTITY: [z._default(z.enum(['built-in', 'firebase']), 'built-in'), 'built-in or firebase'],
  ...firebaseVariables,
  PASSKEY_RP_ID: [
    z.optional(text(/^[a-z\d.-]+$/)),
    'a domain in lower case, like example.com: the host of PUBLIC_URL or a domain above it',
  ],
  BREACHED_PASSWORDS_URL: [
    z.optional(rangeUrl),
    'an address like https://api.pwnedpasswords.com/range/, with https and a slash at its end',
  ],
  SMTP_URL: [z.optional(url(/^smtps?$/)), 'an address like smtps://user:password@mail.example.com'],
  MAIL_FROM: [
    z._default(text(/@/), `${product.name} <no-reply@localhost>`),
    `a sender like ${product.name} <no-reply@example.com>`,
  ],
  LOG_LEVEL: [z._default(logLevel, 'info'), 'fatal, error, warn, info, debug, trace or silent'],
  METRICS_TOKEN: [
    z.optional(text(/^[\w.~+/=-]+$/).check(notGuessed)),
    `a token without spaces, of at least ${secretLength} characters`,
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    z.optional(url(/^https?$/)),
    'the address of an OTLP receiver like http://localhost:4318',
  ],
  OTEL_TRACES_SAMPLER: [
    z._default(sampler, 'parentbased_always_on'),
    'always_on, always_off, traceidratio or one of these after parentbased_',
  ],
  OTEL_TRACES_SAMPLER_ARG: [z._default(ratio, 1), 'a number from 0 to 1'],
  NODE_ENV: [
    z.optional(z.enum(['development', 'test', 'production'])),
    'development, test, production or not set at all',
  ],
  ALLOW_SANDBOX: [flag, flagInWords],
  ALLOW_PRIVATE_WEBHOOKS: [flag, flagInWords],
  STOP_DELAY: [stopDelay, 'a number of seconds from 0 to 600'],
  TRUST_PROXY: [
    trustedProxies,
    'the number of proxies in front, or a list of their networks like 10.0.0.0/8,192.168.1.7',
  ],
} as const

/** Reads and checks the server's environment variables. An empty variable counts as not set. */
export function readEnv(environment: Record<string, string | undefined>) {
  const read = readerOf(environment)
  const mode = read('NODE_ENV') ?? 'development'
  const allowSandbox = read('ALLOW_SANDBOX')
  const env = {
    port: read('PORT'),
    host: read('HOST'),
    publicUrl: publicUrlOf(read),
    /** Whose pages may call the server from browsers too, with bearer tokens alone. */
    allowedOrigins: read('ALLOWED_ORIGINS').map((value) => new URL(value).origin),
    dataDir: resolve(read('DATA_DIR')),
    databaseUrl: read('DATABASE_URL'),
    /** Where DATABASE_URL leads to a pooler, this leads to the PostgreSQL behind it. */
    databaseDirectUrl: directUrl(read),
    /** Set if DATABASE_URL leads to a pooler. `named`: it knows prepared statements. */
    pooler: read('DATABASE_DIRECT_URL') ? { named: read('DATABASE_NAMED') } : undefined,
    /** The connections that calls use, and those that jobs use, if an operator sets them. */
    databasePool: read('DATABASE_POOL'),
    /** What seals and signs what must open nothing to a reader of the database. */
    secretKeys: read('SECRET_KEY'),
    /** Has the key if the environment has none. The first server makes it. */
    secretKeyFile: secretKeyFile(read),
    /** `web` runs no jobs, `worker` answers no calls. */
    role: read('ROLE'),
    stripe: stripeKeys(read),
    stripeApiBase: stripeApiBase(read),
    /** The secret that signs webhooks. If it is not set, the sandbox uses a secret of its own. */
    webhookSecret: read('STRIPE_WEBHOOK_SECRET'),
    /** Whether the payment provider adds tax to prices. */
    tax: read('STRIPE_TAX'),
    /** What an unpaid invoice becomes when its subscription ends. */
    unpaid: read('STRIPE_UNPAID'),
    /** The settings of Firebase. Undefined if accounts are in our own tables. */
    firebase: read('IDENTITY') === 'firebase' ? firebaseSettings(read) : undefined,
    /** The settings of all configured sign-in providers, even of those that are not enabled. */
    signIn: signInSettings(environment),
    /** The domain for which passkeys are made, if it is not the host of PUBLIC_URL. */
    rpId: read('PASSKEY_RP_ID'),
    /** Where the hashes of breached passwords are listed, by their first digits. */
    breachedPasswordsUrl: read('BREACHED_PASSWORDS_URL'),
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
    logLevel: read('LOG_LEVEL'),
    metricsToken: read('METRICS_TOKEN'),
    /** Where traces go, and which are kept. Undefined if there are none. */
    tracing: tracing(read),
    trustedProxies: read('TRUST_PROXY'),
    /** Milliseconds for which a stopping server says that it is not ready, and goes on answering. */
    stopDelay: read('STOP_DELAY') * 1000,
    /** Whether the sandbox answers other machines. */
    allowSandbox,
    /** Whether webhooks may reach this machine, also by http. */
    allowPrivateWebhooks: read('ALLOW_PRIVATE_WEBHOOKS'),
    /** Whether /dev answers this machine. A reader of its mails gets into every account. */
    hasDev: mode !== 'production' && !allowSandbox,
    /** Whether somebody develops here. Tests look at what users see. */
    isDevelopment: mode === 'development' && !allowSandbox,
  }
  const production = mode === 'production'
  refuseStandIns(env, production)
  if (production) requireHttps(env)
  if (production) requireSecretKey(env)
  if (production && env.allowPrivateWebhooks)
    throw new StartError(
      'ALLOW_PRIVATE_WEBHOOKS is refused while NODE_ENV=production: unset it, or projects reach what listens on this machine.',
    )
  return Object.freeze(env)
}

/** The names of all variables, those of sign-in providers included. */
export function variableNames() {
  const names = new Set<string>()
  readEnv(new Proxy<Record<string, string>>({}, { get: (_, name) => void names.add(String(name)) }))
  return [...names]
}

/** A sentence for each variable whose name is nearly that of a setting. */
export function misspelt(environment: Record<string, string | undefined>) {
  const known = variableNames()
  return Object.keys(environment)
    .filter((name) => name.length >= 6 && !known.includes(name))
    .map((name) => [name, didYouMean(name, known)] as const)
    .flatMap(([name, meant]) => (meant ? [`${name} is no setting.${meant}`] : []))
}

/** Reads what `npm run stripe:setup` needs, before the account's other keys exist. */
export function readStripeAccount(environment: Record<string, string | undefined>) {
  const read = readerOf(environment)
  const secretKey = read('STRIPE_SECRET_KEY')
  if (!secretKey)
    throw new StartError(
      'STRIPE_SECRET_KEY is not set. Set it to a secret key of the Stripe account, sk_test_… or sk_live_….',
    )
  const apiBase = stripeApiBase(read)
  return { secretKey, publicUrl: publicUrlOf(read), apiBase, tax: read('STRIPE_TAX') }
}

/** Reads the variables of `npm run sandbox`. Browsers open this sandbox at `publicUrl`. */
export function readSandboxEnv(environment: Record<string, string | undefined>, publicUrl: string) {
  const read = readerOf({
    ...environment,
    DATA_DIR: environment['DATA_DIR']?.trim() || '.data/sandbox',
  })
  const host = read('HOST')
  const allowSandbox = read('ALLOW_SANDBOX')
  const why = !isLoopback(host)
    ? `HOST=${host}`
    : !isLoopback(new URL(publicUrl).hostname) && `--public-url ${publicUrl}`
  if (why && !allowSandbox)
    throw new StartError(
      `${why} is refused: the sandbox takes any card and any key. Set ALLOW_SANDBOX=1 if this is meant to be open.`,
    )
  return { host, allowSandbox, dataDir: resolve(read('DATA_DIR')), logLevel: read('LOG_LEVEL') }
}

function readerOf(environment: Record<string, string | undefined>) {
  return <Name extends keyof typeof variables>(name: Name) => {
    const [schema, expected] = variables[name]
    const value = environment[name]?.trim() || undefined
    const { success, data } = (schema as z.ZodMiniType).safeParse(value)
    if (!success)
      throw new StartError(
        `${name} must be ${expected}. Correct it in the environment and start again.`,
      )
    return data as z.output<(typeof variables)[Name][0]>
  }
}

type Read = ReturnType<typeof readerOf>

function publicUrlOf(read: Read) {
  return (read('PUBLIC_URL') ?? `http://localhost:${read('PORT')}`).replace(/\/+$/, '')
}

function directUrl(read: Read) {
  const direct = read('DATABASE_DIRECT_URL')
  if (direct && !read('DATABASE_URL'))
    throw new StartError(
      'DATABASE_DIRECT_URL needs DATABASE_URL beside it, which leads to the pooler. Without a pooler, set only DATABASE_URL.',
    )
  if (!direct && read('DATABASE_NAMED'))
    throw new StartError(
      'DATABASE_NAMED is about a pooler: set DATABASE_DIRECT_URL too, or unset it.',
    )
  return direct
}

/** Beside a database of somebody else's there is no folder of our own. */
function secretKeyFile(read: Read) {
  const file =
    read('SECRET_KEY_FILE') ??
    (read('DATABASE_URL') ? undefined : join(read('DATA_DIR'), 'secret-key'))
  return file && resolve(file)
}

function stripeKeys(read: Read) {
  const secretKey = read('STRIPE_SECRET_KEY')
  const publishableKey = read('STRIPE_PUBLISHABLE_KEY')
  if (!secretKey && !publishableKey) return undefined
  if (!secretKey || !publishableKey || !read('STRIPE_WEBHOOK_SECRET'))
    throw new StartError(
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET belong together. Set all three, or none for the sandbox.',
    )
  const [secretMode, publishableMode] = [modeOf(secretKey), modeOf(publishableKey)]
  if (secretMode !== publishableMode)
    throw new StartError(
      `STRIPE_SECRET_KEY is a key of ${secretMode} mode and STRIPE_PUBLISHABLE_KEY one of ${publishableMode} mode. Set both to keys of one mode.`,
    )
  return { secretKey, publishableKey }
}

function tracing(read: Read) {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const [sampler, ratio] = [read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')]
  return endpoint === undefined ? undefined : { endpoint, sampler, ratio }
}

function modeOf(key: string) {
  return key.includes('_live_') ? 'live' : 'test'
}

/** A live key must never reach another server than Stripe's. Both keys have the same mode. */
function stripeApiBase(read: Read) {
  const base = read('STRIPE_API_BASE')
  const secretKey = read('STRIPE_SECRET_KEY')
  if (!base) return undefined
  if (!secretKey)
    throw new StartError(
      'STRIPE_API_BASE needs STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET beside it. Set them, or none of the four.',
    )
  if (modeOf(secretKey) === 'live')
    throw new StartError(
      'STRIPE_API_BASE is refused with a live key. Set test keys, sk_test_… and pk_test_…, or unset STRIPE_API_BASE.',
    )
  return new URL(base).origin
}

/** At /dev/mail and Firebase's emulator strangers get any account; the sandbox takes any card. */
function refuseStandIns(
  { host, publicUrl, stripe, stripeApiBase, smtpUrl, firebase, allowSandbox }: Env,
  production: boolean,
) {
  const opened = [
    !smtpUrl && 'mail is shown at /dev/mail (set SMTP_URL)',
    !stripe && 'payments go to the sandbox (set STRIPE_SECRET_KEY)',
    stripeApiBase && `payments go to ${stripeApiBase} (unset STRIPE_API_BASE)`,
  ].filter(Boolean)
  const emulator = firebase?.emulatorHost
    ? ['accounts are in an emulator (unset FIREBASE_AUTH_EMULATOR_HOST)']
    : []
  const open = allowSandbox ? emulator : [...opened, ...emulator]
  if (open.length === 0) return
  const why = [
    production && 'NODE_ENV=production',
    !isLoopback(host) && `HOST=${host}`,
    !isLoopback(new URL(publicUrl).hostname) && `PUBLIC_URL=${publicUrl}`,
  ].find(Boolean)
  if (!why) return
  const instead =
    opened.length > 0 && !allowSandbox
      ? ' Configure them, or set ALLOW_SANDBOX=1 if the sandbox is meant to be open; without SMTP_URL no mail is then sent or shown.'
      : ''
  throw new StartError(`${why} is refused while ${open.join(' and ')}.${instead}`)
}

/** Sessions and passwords must not cross a network unencrypted. */
function requireHttps({ publicUrl, allowSandbox }: Env) {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' || (allowSandbox && isLoopback(hostname))) return
  throw new StartError(
    `PUBLIC_URL=${publicUrl} is refused while NODE_ENV=production: set it to the address that people open, https://….`,
  )
}

/** A key in the database would be in every copy of it, and one that is made is easily lost. */
function requireSecretKey({ databaseUrl, secretKeys, secretKeyFile, allowSandbox }: Env) {
  if (!databaseUrl || secretKeys || (allowSandbox && secretKeyFile)) return
  throw new StartError(
    'DATABASE_URL needs SECRET_KEY beside it while NODE_ENV=production, the same for all servers. openssl rand -base64 32 makes one; keep a copy.',
  )
}
