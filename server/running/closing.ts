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
  /** The connections, and what each of them waits for. */
  const connections = new Map<Socket, ServerResponse | undefined>()
  let isClosing = false

  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.set(socket, response)
    response.once('close', () => {
      if (connections.get(socket) === response) connections.set(socket, undefined)
    })
    if (isClosing) sayFarewell(response)
  })

  function endIdle() {
    for (const [socket, response] of connections) if (!response) socket.destroy()
  }

  /** Lets calls in progress end. `refuseAll` answers those that take too long. */
  return async function close(refuseAll: () => void = () => undefined) {
    isClosing = true
    for (const response of connections.values()) if (response) sayFarewell(response)
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
