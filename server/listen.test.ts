import { limits } from '#config/limits.ts'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { aFreePort } from '../tests/free-port.ts'
import { aWorld } from '../tests/world.ts'
import { listen } from './listen.ts'

const signed = `Stripe-Signature: t=1,v1=${'a'.repeat(64)}`
const { webhookSize } = limits.calls
const { longBodies, shortBody } = limits.requests

async function aListeningWorld() {
  const lines: string[] = []
  const world = await aWorld({}, pino({ level: 'warn' }, { write: (line) => void lines.push(line) }))
  const port = await aFreePort()
  const http = await listen(world.app, { host: '127.0.0.1', port })
  onTestFinished(() => http.close())

  async function send(...head: string[]) {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    // A server that has answered already takes no more.
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return socket
  }

  /** A webhook of which all but the last byte has been sent. */
  async function hold(size: number) {
    const socket = await send('POST /webhooks/stripe HTTP/1.1', 'Host: localhost', signed, `Content-Length: ${size}`)
    socket.write('x'.repeat(size - 1))
    return socket
  }

  return { world, lines, send, hold, url: `http://127.0.0.1:${port}` }
}

async function answerOf(socket: Socket) {
  const [answer] = (await once(socket.setEncoding('utf8'), 'data')) as [string]
  return answer
}

test('two Host headers, or none, are refused', async () => {
  const { send } = await aListeningWorld()
  expect(await answerOf(await send('GET /healthz HTTP/1.1', 'Host: localhost'))).toMatch(/^HTTP\/1\.1 200/)
  expect(await answerOf(await send('GET /healthz HTTP/1.1', 'Host: localhost', 'Host: evil.example'))).toMatch(/^HTTP\/1\.1 400/)
  expect(await answerOf(await send('GET /healthz HTTP/1.1'))).toMatch(/^HTTP\/1\.1 400/)
})

test('a webhook without a signature, or too large, is answered before its body has come', async () => {
  const { send } = await aListeningWorld()
  const head = ['POST /webhooks/stripe HTTP/1.1', 'Host: localhost']
  const unsigned = await answerOf(await send(...head, `Content-Length: ${webhookSize}`))
  expect(unsigned).toMatch(/^HTTP\/1\.1 400/)
  expect(unsigned).toMatch(/connection: close/i)
  expect(await answerOf(await send(...head, signed, `Content-Length: ${webhookSize + 1}`))).toMatch(/^HTTP\/1\.1 413/)
})

test('long bodies that are under way together are bounded; short ones and calls get through', async () => {
  const { url, hold, send, lines } = await aListeningWorld()
  const held = await Promise.all(Array.from({ length: longBodies / webhookSize }, () => hold(webhookSize)))
  const waiting = held.map(answerOf)
  const refused = await answerOf(await hold(webhookSize))
  expect(refused).toMatch(/^HTTP\/1\.1 503/)
  expect(refused).toMatch(/retry-after: \d/i)
  const chunked = ['POST /webhooks/stripe HTTP/1.1', 'Host: localhost', signed, 'Transfer-Encoding: chunked']
  expect(await answerOf(await send(...chunked))).toMatch(/^HTTP\/1\.1 503/)

  const short = await hold(shortBody)
  short.write('x')
  expect(await answerOf(short)).toMatch(/^HTTP\/1\.1 400/)
  const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data: {} }) }
  expect((await fetch(`${url}/api/refreshSession`, call)).status).toBe(401)
  expect((await fetch(`${url}/api/refreshSession`, { ...call, body: call.body.padEnd(limits.calls.bodySize) })).status).toBe(401)

  for (const socket of held) socket.write('x')
  for (const answer of waiting) expect(await answer).toMatch(/^HTTP\/1\.1 400/)
  const next = await hold(webhookSize)
  next.write('x')
  expect(await answerOf(next)).toMatch(/^HTTP\/1\.1 400/)
  expect(lines).toEqual([])
})

test('a body that breaks off gives its place back, and is no error of the server’s', async () => {
  const { hold, send, lines } = await aListeningWorld()
  const sendWhole = async () => {
    const socket = await hold(webhookSize)
    socket.write('x')
    return answerOf(socket)
  }
  const chunked = ['POST /webhooks/stripe HTTP/1.1', 'Host: localhost', signed, 'Transfer-Encoding: chunked']
  const calls = ['POST /api/signIn HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  for (const head of [chunked, [...calls, 'Transfer-Encoding: chunked'], [...calls, 'Content-Length: 20000']]) {
    const socket = await send(...head)
    socket.destroy()
  }
  for (let round = 0; round < (2 * longBodies) / webhookSize; round++) (await hold(webhookSize)).destroy()
  // Nothing tells when the server has noticed; how long the test may take is the limit.
  while (!(await sendWhole()).startsWith('HTTP/1.1 400')) await delay(10)
  expect(lines).toEqual([])
})
