import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Asked = { url: string; headers: IncomingMessage['headers']; body: string }
type Answer = { status: number; body: string; headers?: Record<string, string> }

/** Starts a server of a third party. It answers as the test says and stops after the test. */
export async function anHttpServer(answer: (request: Asked) => Answer | Promise<Answer>) {
  const asked: Asked[] = []

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const question = { url: request.url ?? '', headers: request.headers, body: await text(request) }
    asked.push(question)
    const { status, body, headers } = await answer(question)
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers, connection: 'close' })
      .end(body)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const url = await listening(server)
  const stop = async () => {
    await new Promise((resolve) => server.close(resolve))
  }
  return { host: new URL(url).host, asked, stop }
}

/** Lets a server listen on a free port until the test ends, and returns its address. */
export async function listening(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
