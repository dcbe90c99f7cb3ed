import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds in which clients that keep a connection learn that they need another one. */
const farewell = 150

/** Milliseconds that calls in progress have to finish, and that the refusals of the rest have. */
const patience = 7000
const refusing = 500

/** Prepares for closing a server without breaking off an answer. */
export function closingOf(server: Server) {
  const connections = new Set<Socket>()
  const unanswered = new Set<ServerResponse>()
  let isClosing = false

  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
    if (isClosing) sayFarewell(response)
  })

  function endIdle() {
    const busy = new Set(Array.from(unanswered, ({ req }) => req.socket))
    for (const socket of connections) if (!busy.has(socket)) socket.destroy()
  }

  /** Lets calls in progress end. `refuseAll` answers those that take too long. */
  return async function close(refuseAll: () => void = () => undefined) {
    isClosing = true
    unanswered.forEach(sayFarewell)
    await delay(farewell)
    const closed = once(server, 'close')
    server.close()
    // Node keeps connections that have not sent a request yet.
    endIdle()
    const timers = [
      setTimeout(refuseAll, patience),
      setTimeout(() => server.closeAllConnections(), patience + refusing),
    ]
    await closed
    timers.forEach(clearTimeout)
  }
}

function sayFarewell(response: ServerResponse) {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
