import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type pg from 'pg'
import { onTestFinished } from 'vitest'

/** A way to the database that a test can pause and cut. */
export async function aDatabaseProxy({ host, port, ...others }: pg.PoolConfig) {
  const open = new Set<Socket>()
  const vanished = new Set<Socket>()
  const clients = new Map<Socket, Socket>()
  let isPaused = false
  let isCut = false

  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const database = connect(`${host}/.s.PGSQL.${port}`)
    for (const socket of [client, database]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        open.delete(socket)
        if (vanished.has(client)) return
        client.destroy()
        database.destroy()
      })
    }
    client.pipe(database)
    database.pipe(client)
    clients.set(client, database)
    client.once('close', () => clients.delete(client))
    if (isPaused) [client, database].forEach((socket) => socket.pause())
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())

  return {
    connection: { ...others, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    /** Nothing passes any more, and nobody is told. */
    pause() {
      isPaused = true
      open.forEach((socket) => socket.pause())
    },
    /** The database forgets all connections, and their clients are not told. New ones are fine. */
    vanish() {
      for (const [client, database] of clients) {
        vanished.add(client)
        client.unpipe(database).resume()
        database.destroy()
      }
    },
    /** All connections end, and new ones too. */
    cut() {
      isCut = true
      open.forEach((socket) => socket.destroy())
    },
    restore() {
      isPaused = isCut = false
      open.forEach((socket) => socket.resume())
    },
  }
}
