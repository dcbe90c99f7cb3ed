import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { whyNotWith } from '../../tests/refusal-of.ts'
import { misspelt, readEnv, readStripeAccount, variableNames } from './env.ts'

const stripe = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_env_test',
}
const key = {
  client_email: 'server@my-project.iam.gserviceaccount.com',
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
}
const firebase = {
  IDENTITY: 'firebase',
  FIREBASE_PROJECT_ID: 'my-project',
  FIREBASE_API_KEY: 'AIza-1',
  FIREBASE_SERVICE_ACCOUNT: JSON.stringify({ ...key, type: 'service_account' }),
}
const real = { ...stripe, SMTP_URL: 'smtp://localhost' }

test('the server needs no environment variable', () => {
  expect(readEnv({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    stripe: undefined,
    unpaid: 'void',
    smtpUrl: undefined,
    firebase: undefined,
    logLevel: 'info',
    trustedProxies: 0,
  })
})

test('settings come from environment variables; the default of PUBLIC_URL has PORT, and a slash at its end is removed', () => {
  const told = { PORT: '8080', DATA_DIR: '/srv/app', TRUST_PROXY: '1', LOG_LEVEL: 'warn' }
  expect(readEnv({ ...real, ...told, METRICS_TOKEN: 'a-token-that-is-not-guessed' })).toMatchObject(
    {
      port: 8080,
      publicUrl: 'http://localhost:8080',
      dataDir: '/srv/app',
      stripe: { secretKey: 'sk_live_1', publishableKey: 'pk_live_1' },
      webhookSecret: 'whsec_of_the_env_test',
      smtpUrl: 'smtp://localhost',
      trustedProxies: 1,
      logLevel: 'warn',
      metricsToken: 'a-token-that-is-not-guessed',
    },
  )
  const PUBLIC_URL = 'https://projects.example.com/'
  expect(readEnv({ ...real, PUBLIC_URL }).publicUrl).toBe('https://projects.example.com')
})

test('an empty environment variable counts as not set', () => {
  expect(readEnv({ PORT: '', STRIPE_SECRET_KEY: ' ', DATABASE_URL: '' })).toEqual(readEnv({}))
})

test.each([
  ['PORT', 'eighty'],
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['HOST', 'http://localhost'],
  ['ALLOWED_ORIGINS', 'tools.example.com'],
  ['ALLOWED_ORIGINS', 'https://tools.example.com,http://example.org'],
  ['ALLOWED_ORIGINS', 'https://tools.example.com/page'],
  ['ALLOWED_ORIGINS', '*'],
  ['PUBLIC_URL', 'projects.example.com'],
  ['PUBLIC_URL', 'ftp://projects.example.com'],
  ['PUBLIC_URL', 'https://example.com/projects'],
  ['PUBLIC_URL', 'https://example.com?team=1'],
  ['PUBLIC_URL', 'https://example.com/#top'],
  ['DATABASE_URL', 'mysql://localhost/app'],
  ['STRIPE_SECRET_KEY', 'pk_live_1'],
  ['STRIPE_PUBLISHABLE_KEY', 'sk_live_1'],
  ['STRIPE_WEBHOOK_SECRET', 'secret'],
  ['STRIPE_WEBHOOK_SECRET', 'whsec_of_19_letters'],
  ['STRIPE_API_BASE', 'localhost:4242'],
  ['STRIPE_API_BASE', 'http://localhost:4242/v1'],
  ['STRIPE_API_BASE', 'http://user:secret@localhost:4242'],
  ['STRIPE_UNPAID', 'gift'],
  ['IDENTITY', 'elsewhere'],
  ['FIREBASE_PROJECT_ID', 'my project'],
  ['FIREBASE_API_KEY', 'a key'],
  ['FIREBASE_AUTH_EMULATOR_HOST', 'localhost'],
  ['BREACHED_PASSWORDS_URL', 'hashes.example.com'],
  ['BREACHED_PASSWORDS_URL', 'http://hashes.example.com/range/'],
  ['BREACHED_PASSWORDS_URL', 'https://hashes.example.com/range'],
  ['BREACHED_PASSWORDS_URL', 'https://hashes.example.com/range?start=/'],
  ['BREACHED_PASSWORDS_URL', 'https://user:secret@hashes.example.com/range/'],
  ['SMTP_URL', 'mail.example.com'],
  ['MAIL_FROM', 'Pergola'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS_TOKEN', 'two words that are long enough'],
  ['METRICS_TOKEN', 'of-19-letters-alone'],
  ['ALLOW_SANDBOX', 'maybe'],
  ['ALLOW_PRIVATE_WEBHOOKS', 'maybe'],
  ['STRIPE_TAX', '19%'],
  ['DATABASE_POOL', '1'],
  ['DATABASE_DIRECT_URL', 'db.example.com'],
  ['DATABASE_NAMED', 'yes'],
  ['ROLE', 'job'],
  ['SECRET_KEY', 'hunter2'],
  ['SECRET_KEY', randomBytes(31).toString('base64')],
  ['SECRET_KEY', `${randomBytes(32).toString('hex')},`],
  ['STOP_DELAY', '-1'],
  ['STOP_DELAY', 'soon'],
  ['TRUST_PROXY', '-1'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.0/8,'],
  ['NODE_ENV', 'PRODUCTION'],
])('%s=%s is refused with one line that names the variable', (name, value) => {
  const said = whyNotWith({ ...(name.startsWith('FIREBASE') && firebase), [name]: value })
  expect(said).toMatch(new RegExp(`^${name} must be [^\\n]+$`))
})

test.each(['https://hashes.example.com/range/', 'http://127.0.0.1:8080/'])(
  'BREACHED_PASSWORDS_URL may be %s',
  (BREACHED_PASSWORDS_URL) => {
    expect(readEnv({ BREACHED_PASSWORDS_URL }).breachedPasswordsUrl).toBe(BREACHED_PASSWORDS_URL)
  },
)

test('the variables about a pooler are refused where there is none', () => {
  const url = 'postgres://user:hunter2@db/app'
  expect(whyNotWith({ DATABASE_DIRECT_URL: url })).toContain('needs DATABASE_URL')
  expect(whyNotWith({ DATABASE_URL: url, DATABASE_NAMED: '1' })).toContain('DATABASE_DIRECT_URL')
  const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: url, DATABASE_NAMED: '1' }
  expect(readEnv(env).pooler).toEqual({ named: true })
  expect(readEnv({ DATABASE_URL: url }).pooler).toBeUndefined()
})

test('the error about a malformed secret does not contain the secret', () => {
  expect(whyNotWith({ DATABASE_URL: 'mysql://user:hunter2@db' })).not.toContain('hunter2')
  expect(whyNotWith({ STRIPE_SECRET_KEY: 'live_hunter2' })).not.toContain('hunter2')
})

test('SECRET_KEY is one key or several', () => {
  const [first, second] = [randomBytes(32), randomBytes(40)]
  const SECRET_KEY = `${first.toString('base64')},${second.toString('hex')}`
  expect(readEnv({ SECRET_KEY }).secretKeys).toEqual([first, second])
})

test('SECRET_KEY is required beside DATABASE_URL in production, and is in DATA_DIR without it', () => {
  const PUBLIC_URL = 'https://projects.example.com'
  const production = { ...real, NODE_ENV: 'production', PUBLIC_URL }
  const beside = { ...production, DATABASE_URL: 'postgres://user@db/app' }
  expect(whyNotWith(beside)).toMatch(/^DATABASE_URL needs SECRET_KEY beside it/)
  const SECRET_KEY = randomBytes(32).toString('base64')
  expect(readEnv({ ...beside, SECRET_KEY }).secretKeys).toHaveLength(1)
  const file = { ...beside, SECRET_KEY_FILE: '/key' }
  expect(whyNotWith(file)).toMatch(/^DATABASE_URL needs SECRET_KEY beside it/)
  expect(readEnv({ ...file, ALLOW_SANDBOX: '1' }).secretKeyFile).toBe('/key')
  expect(readEnv({ ...production, DATA_DIR: '/srv' }).secretKeyFile).toBe('/srv/secret-key')
  expect(readEnv({ DATABASE_URL: beside.DATABASE_URL }).secretKeyFile).toBeUndefined()
})

test('setting only some of the environment variables with Stripe’s keys is refused', () => {
  for (const missing of ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'])
    expect(whyNotWith({ ...stripe, [missing]: undefined })).toMatch(/belong together/)
  expect(whyNotWith({ STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })).toMatch(/belong together/)
})

const testKeys = { ...stripe, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
const elsewhere = { ...testKeys, STRIPE_API_BASE: 'http://localhost:4242/' }

test('STRIPE_API_BASE works only with test keys', () => {
  expect(readEnv(elsewhere).stripeApiBase).toBe('http://localhost:4242')
  expect(readEnv(testKeys).stripeApiBase).toBeUndefined()
  const { STRIPE_API_BASE } = elsewhere
  expect(whyNotWith({ STRIPE_API_BASE })).toMatch(/^STRIPE_API_BASE needs STRIPE_SECRET_KEY/)
  expect(whyNotWith({ ...stripe, STRIPE_API_BASE })).toMatch(
    /^STRIPE_API_BASE is refused with a li/,
  )
  expect(readStripeAccount(elsewhere).apiBase).toBe('http://localhost:4242')
})

test.each([
  ['NODE_ENV', 'production'],
  ['HOST', '0.0.0.0'],
  ['PUBLIC_URL', 'https://projects.example.com'],
])('STRIPE_API_BASE together with %s=%s is refused without ALLOW_SANDBOX=1', (name, value) => {
  const open = { ...elsewhere, SMTP_URL: real.SMTP_URL, [name]: value }
  expect(whyNotWith(open)).toMatch(
    /payments go to http:\/\/localhost:4242 \(unset STRIPE_API_BASE\)/,
  )
  expect(readEnv({ ...open, ALLOW_SANDBOX: '1' }).stripeApiBase).toBe('http://localhost:4242')
})

test.each([
  ['sk_live_1', 'pk_test_1'],
  ['rk_live_1', 'pk_test_1'],
  ['sk_test_1', 'pk_live_1'],
])(
  'the Stripe keys %s and %s are refused together, because one is for live mode and the other for test mode',
  (secret, publishable) => {
    const keys = { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable }
    expect(whyNotWith({ ...stripe, ...keys })).toMatch(
      /^STRIPE_SECRET_KEY is [^\n]*(live|test) mode and STRIPE_PUBLISHABLE_KEY [^\n]*(live|test) mode[^\n]+$/,
    )
  },
)

test('STRIPE_WEBHOOK_SECRET can be set without Stripe’s keys, for the sandbox’s webhooks', () => {
  const env = readEnv({ STRIPE_WEBHOOK_SECRET: 'whsec_of_the_env_test' })
  expect([env.stripe, env.webhookSecret]).toEqual([undefined, 'whsec_of_the_env_test'])
})

test('with IDENTITY=firebase, FIREBASE_SERVICE_ACCOUNT is the key of a service account or the path of its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'app-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'key.json')
  writeFileSync(path, firebase.FIREBASE_SERVICE_ACCOUNT)
  const serviceAccount = { ...key, token_uri: 'https://oauth2.googleapis.com/token' }
  const settings = { projectId: 'my-project', apiKey: 'AIza-1', serviceAccount }
  for (const FIREBASE_SERVICE_ACCOUNT of [firebase.FIREBASE_SERVICE_ACCOUNT, path])
    expect(readEnv({ ...firebase, FIREBASE_SERVICE_ACCOUNT }).firebase).toEqual(settings)
  expect(readEnv({ ...firebase, IDENTITY: 'built-in' }).firebase).toBeUndefined()
})

test.each(['PROJECT_ID', 'API_KEY', 'SERVICE_ACCOUNT'])(
  'IDENTITY=firebase without FIREBASE_%s is refused with a message that names the missing variable',
  (name) => {
    const said = whyNotWith({ ...firebase, [`FIREBASE_${name}`]: undefined })
    expect(said).toBe(`IDENTITY=firebase also needs FIREBASE_${name}.`)
  },
)

test.each([
  '/nowhere/key.json',
  '{"client_email":"a@b","private_key":"hunter2"}',
  '{"hunter2"',
  firebase.FIREBASE_SERVICE_ACCOUNT.replace('{', '{"token_uri":"http://hunter2",'),
])(
  'a malformed FIREBASE_SERVICE_ACCOUNT like %.20s… is refused with a message that does not contain it',
  (FIREBASE_SERVICE_ACCOUNT) => {
    const said = whyNotWith({ ...firebase, FIREBASE_SERVICE_ACCOUNT })
    expect(said).toMatch(/^FIREBASE_SERVICE_ACCOUNT must be [^\n]+$/)
    expect(said).not.toContain('hunter2')
  },
)

test('the Firebase emulator needs no service account, and is refused in production', () => {
  const FIREBASE_AUTH_EMULATOR_HOST = '127.0.0.1:9099'
  const { FIREBASE_SERVICE_ACCOUNT: _, ...settings } = firebase
  const environment = { ...real, ...settings, FIREBASE_AUTH_EMULATOR_HOST }
  const read = { projectId: 'my-project', apiKey: 'AIza-1' }
  expect(readEnv(environment).firebase).toEqual({ ...read, emulatorHost: '127.0.0.1:9099' })
  expect(whyNotWith({ ...environment, NODE_ENV: 'production' })).toMatch(
    /emulator.*FIREBASE_AUTH_EMULATOR_HOST/,
  )
})

test('ALLOW_SANDBOX=1 does not open the Firebase emulator, in which strangers get any account', () => {
  const emulator = { FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099', ALLOW_SANDBOX: '1' }
  expect(whyNotWith({ ...firebase, ...emulator, HOST: '0.0.0.0' })).toBe(
    'HOST=0.0.0.0 is refused while accounts are in an emulator (unset FIREBASE_AUTH_EMULATOR_HOST).',
  )
  expect(readEnv({ ...firebase, ...emulator }).firebase?.emulatorHost).toBe('127.0.0.1:9099')
})

test.each<Record<string, string>>([
  { NODE_ENV: 'production' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.2' },
  { HOST: '127.example.com' },
  { PUBLIC_URL: 'https://projects.example.com' },
  { PUBLIC_URL: 'https://projects.example.com', NODE_ENV: 'test' },
  { PUBLIC_URL: 'http://192.168.1.2:3000' },
  { PUBLIC_URL: 'http://localhost.example.com' },
])('with %j the mail and payment stand-ins are refused without ALLOW_SANDBOX=1', (environment) => {
  expect(whyNotWith(environment)).toMatch(/dev\/mail.*sandbox.*ALLOW_SANDBOX=1/)
  expect(whyNotWith({ ...environment, ...stripe })).toMatch(/dev\/mail/)
  expect(whyNotWith({ ...environment, SMTP_URL: 'smtp://localhost' })).toMatch(/sandbox/)
  const { PUBLIC_URL = 'https://projects.example.com' } = environment
  expect(readEnv({ ...environment, ...real, PUBLIC_URL })).toBeTruthy()
  expect(readEnv({ ...environment, ALLOW_SANDBOX: '1' })).toBeTruthy()
})

test.each<Record<string, string>>([
  { PUBLIC_URL: 'http://projects.example.com' },
  { PUBLIC_URL: 'http://localhost:3000' },
  { PUBLIC_URL: 'http://projects.example.com', ALLOW_SANDBOX: '1' },
  {},
])('in production, %j is refused because PUBLIC_URL must begin with https', (environment) => {
  expect(whyNotWith({ ...real, NODE_ENV: 'production', ...environment })).toMatch(
    /^PUBLIC_URL=http:[^\n]+https:\/\/…\.$/,
  )
})

test('production refuses webhooks to its own machine', () => {
  const environment = { ALLOW_PRIVATE_WEBHOOKS: '1', PUBLIC_URL: 'https://projects.example.com' }
  expect(readEnv({ ...real, ...environment }).allowPrivateWebhooks).toBe(true)
  expect(whyNotWith({ ...real, ...environment, NODE_ENV: 'production' })).toMatch(
    /^ALLOW_PRIVATE_WEBHOOKS is refused while NODE_ENV=production/,
  )
})

test('in production, ALLOW_SANDBOX=1 allows a PUBLIC_URL with http on this machine', () => {
  const environment = { NODE_ENV: 'production', ALLOW_SANDBOX: '1' }
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    expect(readEnv({ ...environment, PUBLIC_URL: `http://${host}:3000` })).toBeTruthy()
  expect(readEnv(environment).allowSandbox).toBe(true)
})

test.each([
  'http://localhost:8080',
  'http://127.0.0.1',
  'http://[::1]:3000',
  'http://app.localhost',
  'https://localhost',
])('the mail and payment stand-ins are allowed with PUBLIC_URL=%s', (publicUrl) => {
  for (const NODE_ENV of ['', 'development', 'test'])
    expect(readEnv({ PUBLIC_URL: publicUrl, NODE_ENV }).publicUrl).toBe(publicUrl)
})

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])(
  'the mail and payment stand-ins are allowed with HOST=%s',
  (host) => {
    expect(readEnv({ HOST: host }).host).toBe(host)
  },
)

test('the settings from environment variables are frozen', () => {
  expect(Object.isFrozen(readEnv(real))).toBe(true)
})

test('a variable whose name is nearly that of a setting is named', () => {
  const environment = { SMPT_URL: '', LOGLEVEL: '', GOOGLE_CLIENTID: '', SMTP_URL: '', PATH: '' }
  expect(misspelt({ ...environment, HOSTNAME: '', NODE_PATH: '', XDG_DATA_DIRS: '' })).toEqual([
    'SMPT_URL is no setting. Did you mean SMTP_URL?',
    'LOGLEVEL is no setting. Did you mean LOG_LEVEL?',
    'GOOGLE_CLIENTID is no setting. Did you mean GOOGLE_CLIENT_ID?',
  ])
})

test('.env.example names every environment variable', () => {
  const explained = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const named = (name: string) =>
    explained.includes(`${name}=`) ||
    /^(MICROSOFT|FACEBOOK|GITHUB|TWITTER|YAHOO)_CLIENT_/.test(name) ||
    name.endsWith('_ISSUER')
  expect(variableNames().filter((name) => !named(name))).toEqual([])
  expect(variableNames().length).toBeGreaterThan(20)
})

test.each([
  [{}, true, true],
  [{ NODE_ENV: 'development' }, true, true],
  [{ NODE_ENV: 'test' }, false, true],
  [{ ALLOW_SANDBOX: '1' }, false, false],
  [{ ALLOW_SANDBOX: '1', NODE_ENV: 'test' }, false, false],
  [{ ALLOW_SANDBOX: '1', NODE_ENV: 'production' }, false, false],
  [{ ...real, NODE_ENV: 'production', PUBLIC_URL: 'https://projects.example.com' }, false, false],
])(
  'with %j somebody develops here: %s, and /dev answers: %s',
  (environment, isDevelopment, hasDev) =>
    expect(readEnv(environment)).toMatchObject({ isDevelopment, hasDev }),
)
