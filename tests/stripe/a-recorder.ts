import { once } from 'node:events'
import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request to the provider and its answer, as they went over the wire. */
export type Exchange = {
  request: { method: string; /** With its query. */ path: string; headers: IncomingHttpHeaders; body: string }
  response: { status: number; headers: IncomingHttpHeaders; body: string }
}

/** A proxy that keeps what passes through it, to be put between the server and the one that it takes money by. */
export async function aRecorder(target: string) {
  const exchanges: Exchange[] = []
  const server = createServer((asked, answering) => {
    const { method = 'GET', url: path = '/', headers } = asked
    const passedOn = ask(new URL(path, target), { method, headers }, (answer) => {
      const { statusCode: status = 0 } = answer
      answering.writeHead(status, answer.headers)
      answer.pipe(answering)
      void Promise.all([request, textOf(answer)]).then(([body, answered]) =>
        exchanges.push({ request: { method, path, headers, body }, response: { status, headers: answer.headers, body: answered } }),
      )
    })
    passedOn.on('error', () => answering.destroy())
    const request = textOf(asked)
    asked.pipe(passedOn)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exchanges }
}

async function textOf(stream: NodeJS.ReadableStream) {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(stream, 'end')
  return Buffer.concat(chunks).toString()
}
