import { once } from 'node:events'
import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request and its answer, as on the wire. */
export type Exchange = {
  request: { method: string; url: string; headers: Headers; body: string }
  response: { status: number; headers: Headers; body: string }
}

/** An HTTP proxy between a server and the sandbox at `target` that records every exchange. */
export async function aRecorder(target: string) {
  const exchanges: Exchange[] = []
  const server = createServer((asked, answering) => {
    const { method = 'GET', headers } = asked
    const url = new URL(asked.url ?? '/', target)
    const passedOn = ask(url, { method, headers }, (answer) => {
      const { statusCode: status = 0 } = answer
      answering.writeHead(status, answer.headers)
      answer.pipe(answering)
      void Promise.all([sent, text(answer)]).then(([body, answered]) =>
        exchanges.push({
          request: { method, url: url.href, headers: toHeaders(headers), body },
          response: { status, headers: toHeaders(answer.headers), body: answered },
        }),
      )
    })
    passedOn.on('error', () => answering.destroy())
    const sent = text(asked)
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

function toHeaders(headers: IncomingHttpHeaders) {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
