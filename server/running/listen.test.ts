// @module-tag slow
import { engineLimits, limits } from '#config/limits.ts'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { aFreePort } from '../../tools/free-port.ts'
import { aLog, aWorld, inParallel } from '../../tests/world.ts'
import { listen } from './listen.ts'
import { parseTrustedProxies, type TrustedProxies } from '../platform/networks.ts'

const signed = `Stripe-Signature: t=1,v1=${'a'.repeat(64)}`
const { webhookSize } = limits.calls
const chunkedWebhook = [
  'POST /webhooks/stripe HTTP/1.1',
  'Host: localhost',
  signed,
  'Transfer-Encoding: chunked',
]
const { longBodies, longBodiesByNetwork, shortBody, connectionsByNetwork } = engineLimits.requests

async function aListeningWorld(
  environment: Record<string, string> = {},
  { host = '127.0.0.1', trustedProxies = 0 as TrustedProxies } = {},
) {
  const { lines, log } = aLog('warn')
  const world = await aWorld(environment, log)
  const port = await aFreePort()
  const http = await listen(world.app, { host, port, trustedProxies })
  onTestFinished(() => http.close())

  async function send(...head: string[]) {
    const socket = connect(port, host)
    onTestFinished(() => void socket.destroy())
    // Writing to a socket fails once the server has answered and closed it.
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return socket
  }

  /** Sends a webhook request except for its last byte. */
  async function hold(size: number, ...headers: string[]) {
    const socket = await send(
      'POST /webhooks/stripe HTTP/1.1',
      'Host: localhost',
      signed,
      `Content-Length: ${size}`,
      ...headers,
    )
    socket.write('x'.repeat(size - 1))
    return socket
  }

  /** The status of a complete API call from this network, with its body padded to `size` bytes. */
  async function refresh(network: number, size = 0) {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': `203.0.113.${network}`,
    }
    const body = JSON.stringify({ data: {} }).padEnd(size)
    const url = `http://127.0.0.1:${port}/api/refreshSession`
    return (await fetch(url, { method: 'POST', headers, body })).status
  }

  return { lines, send, hold, refresh, port }
}

async function answerOf(socket: Socket) {
  const [answer] = (await once(socket.setEncoding('utf8'), 'data')) as [string]
  return answer
}

async function statusOf(socket: Socket) {
  return Number((await answerOf(socket)).split(' ')[1])
}

/** Sends the last byte of a held request and returns the status of the answer. */
async function finish(socket: Socket) {
  socket.write('x')
  return statusOf(socket)
}

test('a request with two Host headers, or without one, is refused', async () => {
  const { send } = await aListeningWorld()
  const ask = async (...hosts: string[]) =>
    statusOf(await send('GET /healthz HTTP/1.1', ...hosts.map((host) => `Host: ${host}`)))
  expect(await ask('localhost')).toBe(200)
  expect(await ask('localhost', 'evil.example')).toBe(400)
  expect(await ask()).toBe(400)
})

test.each(['a.1', '1.2.3.256', 'a..1', 'localhost:99999'])(
  'requests to every path are refused if their Host header is %s, which is invalid in a URL',
  async (host) => {
    const { send, lines } = await aListeningWorld()
    const form = ['Content-Type: application/json', 'Content-Length: 11', signed]
    for (const [method, path] of [
      ['POST', '/api/signIn'],
      ['POST', '/api/refreshSession'],
      ['POST', '/webhooks/stripe'],
      ['POST', '/sandbox/clock'],
      ['GET', '/sandbox'],
      ['GET', '/dev/mail.json'],
      ['GET', 'http://localhost/dev/mail.json'],
      ['GET', '/'],
    ] as const) {
      const socket = await send(
        `${method} ${path} HTTP/1.1`,
        `Host: ${host}`,
        ...(method === 'POST' ? form : []),
      )
      if (method === 'POST') socket.write('{"data":{}}')
      expect(await statusOf(socket), path).toBe(400)
    }
    expect(lines).toEqual([])
  },
)

test('the mail and payment stand-ins refuse HTTP/1.0, which nginx uses as a proxy by default', async () => {
  const ask = async (environment: Record<string, string>, path: string, version: string) => {
    const { send } = await aListeningWorld(environment)
    return statusOf(
      await send(`GET ${path} HTTP/${version}`, 'Host: 127.0.0.1:3000', 'Connection: close'),
    )
  }
  for (const path of ['/dev/mail.json', '/sandbox']) {
    expect(await ask({}, path, '1.1')).toBe(200)
    expect(await ask({}, path, '1.0')).toBe(403)
  }
  expect(await ask({ ALLOW_SANDBOX: '1' }, '/sandbox', '1.0')).toBe(200)
  expect(await ask({}, '/healthz', '1.0')).toBe(200)
})

const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((own) => own?.family === 'IPv4' && !own.internal)?.address

/** Opens as many connections from one address as an untrusted address may have. */
async function crowd(trustedProxies: TrustedProxies) {
  const { port } = await aListeningWorld({}, { host: '0.0.0.0', trustedProxies })
  const dial = (host: string) => {
    const socket = connect(port, host)
    onTestFinished(() => void socket.destroy())
    return socket.on('error', () => undefined)
  }
  const crowd = Array.from({ length: connectionsByNetwork }, () => dial(ownAddress!))
  await Promise.all(crowd.map((socket) => once(socket, 'connect')))
  async function isServed(host: string) {
    const socket = dial(host)
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return new Promise<boolean>((resolve) =>
      socket.once('close', () => resolve(false)).once('data', () => resolve(true)),
    )
  }
  return { crowd, isServed }
}

test.skipIf(!ownAddress)(
  'one address that uses all its connections does not block others, and may open a new one after it closed one',
  async () => {
    const { crowd: idle, isServed } = await crowd(0)
    expect(await isServed(ownAddress!)).toBe(false)
    expect(await isServed('127.0.0.1')).toBe(true)
    idle[0]!.destroy()
    // Nothing signals that the server has noticed, so the test tries until its own timeout.
    while (!(await isServed(ownAddress!))) await delay(10)
  },
)

test.skipIf(!ownAddress)('a trusted proxy may open any number of connections', async () => {
  for (const trusted of [1, parseTrustedProxies(ownAddress!)!])
    expect(await (await crowd(trusted)).isServed(ownAddress!)).toBe(true)
})

test('a webhook request that is unsigned or too large is refused before its body is read', async () => {
  const { send } = await aListeningWorld()
  const head = ['POST /webhooks/stripe HTTP/1.1', 'Host: localhost']
  const unsigned = await answerOf(await send(...head, `Content-Length: ${webhookSize}`))
  expect(unsigned).toMatch(/^HTTP\/1\.1 400/)
  expect(unsigned).toMatch(/connection: close/i)
  expect(await statusOf(await send(...head, signed, `Content-Length: ${webhookSize + 1}`))).toBe(
    413,
  )
})

const by = (index: number) => `X-Forwarded-For: 203.0.113.${index}`

test('the number of long request bodies that one network sends at once is limited, but not its short ones or those of other networks', async () => {
  const { refresh, hold, send, lines } = await aListeningWorld({ TRUST_PROXY: '1' })
  const held = await inParallel(longBodiesByNetwork / webhookSize, () => hold(webhookSize, by(1)))
  const waiting = held.map(statusOf)
  const refused = await answerOf(await hold(webhookSize, by(1)))
  expect(refused).toMatch(/^HTTP\/1\.1 503/)
  expect(refused).toMatch(/retry-after: \d/i)
  expect(await statusOf(await send(...chunkedWebhook, by(1)))).toBe(503)

  expect(await finish(await hold(shortBody, by(1)))).toBe(400)
  expect(await finish(await hold(webhookSize, by(2)))).toBe(400)
  expect(await refresh(1)).toBe(401)
  expect(await refresh(1, limits.calls.bodySize)).toBe(401)

  for (const socket of held) socket.write('x')
  for (const status of waiting) expect(await status).toBe(400)
  expect(await finish(await hold(webhookSize, by(1)))).toBe(400)
  expect(lines).toEqual([])
})

test('API calls with long bodies from one network do not block such calls from other networks', async () => {
  const { refresh, send } = await aListeningWorld({ TRUST_PROXY: '1' })
  const head = [
    'POST /api/refreshSession HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]
  await inParallel(longBodiesByNetwork / limits.calls.bodySize, () => send(...head, by(1)))
  expect(await statusOf(await send(...head, by(1)))).toBe(503)
  expect(await refresh(2, limits.calls.bodySize)).toBe(401)
})

test('the number of long request bodies that all networks together send at once is limited', async () => {
  const { hold } = await aListeningWorld({ TRUST_PROXY: '1' })
  const networks = Array.from({ length: longBodies / longBodiesByNetwork }, (_, index) => by(index))
  for (const network of networks)
    await inParallel(longBodiesByNetwork / webhookSize, () => hold(webhookSize, network))
  expect(await statusOf(await hold(webhookSize, by(networks.length)))).toBe(503)
})

test('a request that is aborted no longer counts against the limit of long bodies, and is not logged as an error', async () => {
  const { hold, send, lines } = await aListeningWorld()
  const calls = ['POST /api/signIn HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  for (const head of [
    chunkedWebhook,
    [...calls, 'Transfer-Encoding: chunked'],
    [...calls, 'Content-Length: 20000'],
  ])
    (await send(...head)).destroy()
  for (let round = 0; round < (2 * longBodiesByNetwork) / webhookSize; round++)
    (await hold(webhookSize)).destroy()
  // Nothing signals that the server has noticed, so the test tries until its own timeout.
  while ((await finish(await hold(webhookSize))) !== 400) await delay(10)
  expect(lines).toEqual([])
})
