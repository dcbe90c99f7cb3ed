import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

/** A server whose answers wait until the test gives them. */
async function aServer() {
  const asked = new EventTarget()
  const answers: ((response: Response) => void)[] = []
  const app = {
    fetch: () => {
      const { promise, resolve } = Promise.withResolvers<Response>()
      answers.push(resolve)
      asked.dispatchEvent(new Event('asked'))
      return promise
    },
  }
  const http = await listen(app, { host: '127.0.0.1', port: 0, trustedProxies: 0 })

  async function open() {
    const socket = connect(http.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }

  /** Asks on a connection that the client keeps. `answer` waits until the server ends it. */
  async function ask() {
    const socket = await open()
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(asked, 'asked')
    return { socket, answer: () => text(socket) }
  }

  const answerAll = (status = 200) => {
    for (const answer of answers.splice(0)) answer(new Response('the answer', { status }))
  }
  return { ...http, open, ask, answerAll, asked }
}

test('a server that closes ends connections without a request at once, also those that never had one', async () => {
  const { close, open, ask, answerAll } = await aServer()
  const { socket: kept } = await ask()
  answerAll()
  await once(kept, 'readable')
  await open()
  await close(() => expect.fail('nothing is in progress'))
})

test('a server that closes finishes the calls in progress and says that their connections end', async () => {
  const { close, ask, answerAll } = await aServer()
  const { answer } = await ask()
  const closed = close(() => expect.fail('the call ends before'))
  answerAll()
  expect(await answer()).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*connection: close\r\n[^]*the answer$/i)
  await closed
})

test('a server that closes takes requests on kept connections and on new ones until its clients know', async () => {
  const { close, ask, answerAll, asked } = await aServer()
  const { socket, answer } = await ask()
  answerAll()
  await once(socket, 'readable')
  const closed = close(() => expect.fail('the calls end before'))
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(asked, 'asked')
  const late = await ask()
  answerAll()
  for (const answered of [answer, late.answer])
    expect(await answered()).toMatch(/connection: close\r\n/i)
  await closed
})

test('a server that closes refuses the calls that take too long', { tags: ['slow'] }, async () => {
  const { close, ask, answerAll } = await aServer()
  const { answer } = await ask()
  await close(() => answerAll(503))
  expect(await answer()).toMatch(/^HTTP\/1.1 503 /)
})
