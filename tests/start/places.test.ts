import { chmod, mkdir, readdir, readFile, readlink, rename, rm, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../config/product.ts'
import { parseKeys } from '../../server/platform/secrets.ts'
import { aFolder, ann, aPostgres, aServer, aStarted, signUp, whyNot } from './a-server.ts'

const isRoot = process.getuid?.() === 0

test('a second start installs, builds and initialises nothing', async () => {
  const env = { DATA_DIR: join(await aFolder(), 'data'), NODE_ENV: 'test' }
  const first = await aStarted({ env, args: ['scripts/start.mjs'] })
  first.child.kill()
  await first.ended
  const { birthtimeMs } = await stat(join(env.DATA_DIR, 'postgres'))
  const second = await aStarted({ env, args: ['scripts/start.mjs'] })
  second.child.kill()
  const [line] = (await second.ended).stdout.split('\n')
  expect(JSON.parse(line!).msg).toMatch(new RegExp(`^${product.name} is ready: http`))
  expect((await stat(join(env.DATA_DIR, 'postgres'))).birthtimeMs).toBe(birthtimeMs)
})

test('a server starts although the path of its data folder is too long for a socket', async () => {
  await aStarted({ env: { DATA_DIR: join(await aFolder(), 'deep'.repeat(30)) } })
})

test('a server with DATABASE_URL makes no folder, and says that the database has its key', async () => {
  const DATA_DIR = join(await aFolder(), 'data')
  const server = await aStarted({ env: { DATA_DIR, DATABASE_URL: await aPostgres() } })
  expect(existsSync(DATA_DIR)).toBe(false)
  server.child.kill()
  expect((await server.ended).stdout).toContain('Set SECRET_KEY before people come.')
})

test('the first start makes a key in the data folder for its user alone, without which no other starts', async () => {
  const DATA_DIR = join(await aFolder(), 'data')
  const key = join(DATA_DIR, 'secret-key')
  const server = await aStarted({ env: { DATA_DIR } })
  await signUp(server)
  expect((await stat(key)).mode & 0o777).toBe(0o600)
  expect(parseKeys((await readFile(key, 'utf8')).trim())).toHaveLength(1)
  server.child.kill()
  await server.ended
  await rename(key, `${key}.lost`)
  expect(await whyNot(await aServer({ env: { DATA_DIR } }))).toMatch(
    /secret-key does not have the key of this database: set SECRET_KEY to the one that it had/,
  )
  await rename(`${key}.lost`, key)
  const again = await aStarted({ env: { DATA_DIR } })
  expect(await again.call('signIn', ann)).toMatchObject({ status: 200 })
})

test('servers that start at once with one SECRET_KEY_FILE share the key that one of them makes', async () => {
  const SECRET_KEY_FILE = join(await aFolder(), 'key')
  const env = { SECRET_KEY_FILE, DATABASE_URL: await aPostgres(), NODE_ENV: 'production' }
  const trial = { ...env, ALLOW_SANDBOX: '1', PUBLIC_URL: 'https://localhost' }
  const servers = await Promise.all([1, 2, 3].map(() => aStarted({ env: trial })))
  for (const { child } of servers) child.kill()
  await Promise.all(servers.map(({ ended }) => ended))
  expect(await readdir(dirname(SECRET_KEY_FILE))).toEqual(['key'])
})

test.runIf(isRoot)(
  'if only root may enter the data folder, the server stores the data elsewhere and says where',
  async () => {
    const home = join(await aFolder(), 'home-of-root')
    await mkdir(home, { mode: 0o700 })
    const env = { DATA_DIR: join(home, 'data') }
    const server = await aStarted({ env })
    const place = await readlink(join(env.DATA_DIR, 'postgres'))
    onTestFinished(() => rm(place, { recursive: true, force: true }))
    server.child.kill()
    expect((await server.ended).stdout).toContain(place)
    expect((await stat(place)).uid).not.toBe(0)
  },
)

test.runIf(isRoot)('root never changes the owner of PostgreSQL’s data', async () => {
  const DATA_DIR = join(await aFolder(), 'data')
  const server = await aStarted({ env: { DATA_DIR } })
  const { uid } = await stat(join(DATA_DIR, 'postgres'))
  expect(uid).not.toBe(0)
  server.child.kill()
  await server.ended
  await chmod(DATA_DIR, 0o700)
  const closed = await aServer({ env: { DATA_DIR } })
  expect(await closed.isUp()).toBe(false)
  expect(await whyNot(closed)).toMatch(/^PostgreSQL could not start in .+ Permission denied\n$/)
})
