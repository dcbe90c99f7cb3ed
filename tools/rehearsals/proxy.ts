import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Stage } from './stage.ts'

export type Proxy = Awaited<ReturnType<typeof openProxy>>

/** Passes connections on to the PostgreSQL at the port that `lead` names. */
export async function openProxy(stage: Stage, target: number) {
  let to: number | undefined = target
  let isLosing = false
  const sockets = new Set<Socket>()
  const lost = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    if (isLosing) return lose(client)
    if (to === undefined) return client.resetAndDestroy()
    const upstream = connect({ port: to, host: '127.0.0.1', noDelay: true })
    join(client, upstream)
    join(upstream, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function join(one: Socket, other: Socket) {
    sockets.add(one)
    one.pipe(other)
    one.on('error', () => undefined)
    one.on('close', () => {
      sockets.delete(one)
      if (!lost.has(one)) other.destroySoon()
    })
  }

  /** Nothing arrives at the other end any more, not even that this one is closed. */
  function lose(socket: Socket) {
    lost.add(socket)
    socket.unpipe()
    socket.pause()
    socket.on('error', () => undefined)
  }

  /** Breaks every connection, as a firewall does that forgets them. */
  function cut() {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  stage.atEnd(() => {
    server.close()
    cut()
    for (const socket of lost) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    /** Without a port it takes no connections. */
    lead: (port: number | undefined) => void (to = port),
    cut,
    /** Loses without a word what passes on the connections of now, and of the time until `find`. */
    loseAll() {
      isLosing = true
      sockets.forEach(lose)
    },
    find: () => void (isLosing = false),
  }
}
