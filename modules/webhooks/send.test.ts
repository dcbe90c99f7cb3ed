import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { listening } from '../../tests/http-server.ts'
import { limits } from './limits.ts'
import { openSender } from './send.ts'
import { targetOf } from './target.ts'

async function sentTo(answer: RequestListener, within?: number) {
  const url = await listening(createServer(answer))
  using sender = openSender(targetOf(url, true)!, within)
  const send = () => sender.send('{}', {})
  return [await send(), await send()]
}

test('a receiver that does not answer in time has failed', async () => {
  const [sent] = await sentTo(() => undefined, 50)
  expect(sent).toMatchObject({ ok: false, status: null, answer: null, error: 'timeout' })
})

test('a receiver whose answer does not end has failed after the same time', async () => {
  const [sent] = await sentTo((_, response) => response.writeHead(200).write('wait'), 50)
  expect(sent).toMatchObject({ ok: false, error: 'timeout' })
})

test('of an endless answer only the beginning is read', async () => {
  const [sent] = await sentTo((_, response) => {
    const more = () => response.write('x'.repeat(10_000), (error) => error ?? more())
    more()
  })
  expect(sent).toMatchObject({ ok: true, status: 200, answer: 'x'.repeat(limits.answerSize) })
})

test('two requests share a connection, and one that was closed between them is no failure', async () => {
  const ports = new Set<number>()
  const [first, second] = await sentTo((request, response) => {
    if (ports.has(request.socket.remotePort!)) return request.socket.destroy()
    ports.add(request.socket.remotePort!)
    return response.end('ok')
  })
  expect([first, second]).toMatchObject([{ ok: true }, { ok: true }])
  expect(ports.size).toBe(2)
})

test('a receiver that is not there has failed, and so has one that breaks off', async () => {
  using sender = openSender(targetOf('http://127.0.0.1:1/', true)!)
  expect(await sender.send('{}', {})).toMatchObject({ error: 'ECONNREFUSED' })
  const [broken] = await sentTo((request) => request.socket.destroy())
  expect(broken).toMatchObject({ ok: false, error: 'ECONNRESET' })
})
