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
  let isDeaf = false

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
    if (isDeaf)
      database.on(
        'data',
        withoutNotices((message) => client.write(message)),
      )
    else database.pipe(client)
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
    /** Nothing passes on the connections of now, neither end is told, and new ones are fine. */
    lose() {
      for (const [client, database] of clients) {
        vanished.add(client)
        client.unpipe(database).resume()
        database.unpipe(client).resume()
        onTestFinished(() => void database.destroy())
      }
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
    /** New connections pass on everything but notices, as poolers do. */
    deafen() {
      isDeaf = true
    },
    restore() {
      isPaused = isCut = false
      open.forEach((socket) => socket.resume())
    },
  }
}

/** Passes on PostgreSQL's messages, which begin with a letter and their length, except notices. */
function withoutNotices(pass: (message: Buffer) => void) {
  let rest = Buffer.alloc(0)
  return (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      if (String.fromCharCode(rest[0]!) !== 'A') pass(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  }
}
