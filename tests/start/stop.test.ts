import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import {
  aFolder,
  ann,
  aServer,
  aStarted,
  postgresOn,
  signUp,
  timed,
  untilGone,
  whyNot,
} from './a-server.ts'

const isLinux = process.platform === 'linux'

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s stops the server and its PostgreSQL within 5 seconds',
  async (signal) => {
    const dataDir = await aFolder()
    const server = await aStarted({ env: { DATA_DIR: dataDir } })
    const postgres = await postgresOn(dataDir)
    const took = await timed(async () => {
      server.child.kill(signal)
      expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
    })
    expect(took).toBeLessThan(5000)
    await untilGone(postgres)
  },
)

test('a server with STOP_DELAY first says that it is not ready, and goes on answering for that time', async () => {
  const server = await aStarted({ env: { DATA_DIR: await aFolder(), STOP_DELAY: '1' } })
  const token = await signUp(server)
  server.child.kill('SIGTERM')
  while ((await fetch(`${server.url}/readyz`)).status === 200) await delay(10)
  const { result } = await server.call('createSubscription', { planId: 'free' }, { token })
  expect(result).toBeDefined()
  const connected = await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })
  expect(connected.status).toBe(200)
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
})

test('a server without calls in progress stops at once, although clients keep connections to it', async () => {
  const server = await aStarted({ env: { DATA_DIR: await aFolder() } })
  await signUp(server)
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1')
  onTestFinished(() => void silent.destroy())
  await once(silent, 'connect')
  const took = await timed(async () => {
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  })
  expect(took).toBeLessThan(3000)
})

test('a server that stops ends its open streams at once', async () => {
  const server = await aStarted({ env: { DATA_DIR: await aFolder() } })
  const headers = { authorization: `Bearer ${await signUp(server)}` }
  const streams = await Promise.all(
    Array.from({ length: 10 }, () => fetch(`${server.url}/live`, { headers })),
  )
  const ends = streams.map((stream) => stream.text())
  const took = await timed(async () => {
    server.child.kill('SIGTERM')
    for (const text of await Promise.all(ends))
      expect(text).toContain('data: {"event":"end","because":"stopping"}')
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  })
  expect(took).toBeLessThan(3000)
})

test('Ctrl-C reaches the whole process group, and PostgreSQL still shuts down in order', async () => {
  const dataDir = await aFolder()
  const server = await aStarted({
    env: { DATA_DIR: dataDir, NODE_ENV: 'test' },
    args: ['scripts/start.mjs'],
  })
  const took = await timed(async () => {
    server.pressCtrlC()
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  })
  expect(took).toBeLessThan(5000)
  expect(await readFile(`${dataDir}/postgres.log`, 'utf8')).toMatch(
    /database system is shut down\n$/,
  )
})

test.each([
  ['the script that started it', ['scripts/start.mjs']],
  ['the server itself', ['.cache/test-server/main.js']],
])('%s killed with -9 leaves nothing running', async (_, args) => {
  const dataDir = await aFolder()
  const server = await aStarted({ env: { DATA_DIR: dataDir, NODE_ENV: 'test' }, args })
  const postgres = await postgresOn(dataDir)
  server.child.kill('SIGKILL')
  await untilGone(postgres)
  await server.ended
  await expect(fetch(server.url)).rejects.toThrow()
})

test('a server killed with -9 in a burst of calls starts again with every change that it acknowledged', async () => {
  const dataDir = await aFolder()
  const server = await aStarted({ env: { DATA_DIR: dataDir } })
  const token = await signUp(server)

  const acknowledged: string[] = []
  const burst = Array.from({ length: 40 }, async () => {
    const { result } = await server.call('createSubscription', { planId: 'free' }, { token })
    acknowledged.push(result!.subscriptionId)
    if (acknowledged.length === 10) server.child.kill('SIGKILL')
  })
  await Promise.allSettled(burst)
  expect(acknowledged.length).toBeGreaterThanOrEqual(10)
  await server.ended

  const again = await aStarted({ env: { DATA_DIR: dataDir } })
  const { token: newToken } = (await again.call('signIn', ann)).result!
  const { result: list } = await again.call('listSubscriptions', {}, { token: newToken })
  expect(list!.subscriptions.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
})

test.runIf(isLinux)(
  'a server names a PostgreSQL that a killed one left, and starts once that is stopped',
  async () => {
    const dataDir = await aFolder()
    const server = await aStarted({ env: { DATA_DIR: dataDir } })
    const leftBehind = await postgresOn(dataDir)
    // These processes would stop PostgreSQL after the server's end.
    for (const keeper of await childrenOf(server.pid)) {
      const its = (await childrenOf(keeper)).filter((pid) => pid !== leftBehind)
      for (const pid of [...its, keeper]) process.kill(pid, 'SIGKILL')
    }
    server.child.kill('SIGKILL')
    await server.ended

    const refused = await whyNot(await aServer({ env: { DATA_DIR: dataDir } }))
    expect(refused).toContain(`its PostgreSQL is process ${leftBehind}. Stop it, or`)
    process.kill(leftBehind, 'SIGINT')
    await aStarted({ env: { DATA_DIR: dataDir } })
  },
)

async function childrenOf(parent: number) {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  return pids.filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number) {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
