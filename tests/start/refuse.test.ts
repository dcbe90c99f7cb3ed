import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aPoolOn, aServer, aStarted, whyNot } from './a-server.ts'

test('a second server on the same data does not start, and the first goes on', async () => {
  const env = { DATA_DIR: await aFolder() }
  const first = await aStarted({ env })
  const second = await aServer({ env })
  expect(await whyNot(second)).toContain(env.DATA_DIR)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
})

test('of five servers that start on the same data at once, only one comes up', async () => {
  const env = { DATA_DIR: await aFolder() }
  const servers = await Promise.all(Array.from({ length: 5 }, () => aServer({ env })))
  const up = await Promise.all(servers.map(({ isUp }) => isUp()))
  expect(up.filter(Boolean)).toHaveLength(1)
  for (const [index, server] of servers.entries())
    if (!up[index]) expect(await whyNot(server)).toContain(env.DATA_DIR)
})

test('a server does not start on data that needs newer code', async () => {
  const DATA_DIR = await aFolder()
  const server = await aStarted({ env: { DATA_DIR } })
  const pool = await aPoolOn(DATA_DIR)
  await pool.query(`insert into installation (name, value) values ('oldest code', '9999')
    on conflict (name) do update set value = excluded.value`)
  await pool.end()
  server.child.kill()
  await server.ended
  expect(await whyNot(await aServer({ env: { DATA_DIR } }))).toMatch(
    /^This version is too old for its database: .* Start a newer version\.\n$/,
  )
})

test('a server does not start on a taken port', async () => {
  const first = await aStarted({ env: { DATA_DIR: await aFolder() } })
  const { port } = new URL(first.url)
  const second = await aServer({ env: { DATA_DIR: await aFolder(), PORT: port } })
  expect(await whyNot(second)).toContain(`Port ${port}`)
})

test('a server does not start if it cannot write to its data folder', async () => {
  const folder = await aFolder()
  await chmod(folder, 0o500)
  // The mode of a folder does not stop root.
  const dataDir = process.getuid?.() === 0 ? '/proc/data' : join(folder, 'data')
  expect(await whyNot(await aServer({ env: { DATA_DIR: dataDir } }))).toContain(dataDir)
})

test('a server does not start if its data folder is a file', async () => {
  const dataDir = join(await aFolder(), 'file')
  await writeFile(dataDir, '')
  expect(await whyNot(await aServer({ env: { DATA_DIR: dataDir } }))).toContain(dataDir)
})

test.each([
  ['to where nothing listens', 'postgres://ann:hunter2@127.0.0.1:1/app'],
  ['to a host that does not exist', 'postgres://ann:hunter2@nowhere.invalid/app'],
  ['of another kind', 'mysql://ann:hunter2@127.0.0.1/app'],
])(
  'a server does not start with a DATABASE_URL %s, and does not repeat its password',
  async (_, DATABASE_URL) => {
    const why = await whyNot(await aServer({ env: { DATABASE_URL } }))
    expect(why).toContain('DATABASE_URL')
    expect(why).not.toContain('hunter2')
  },
)
