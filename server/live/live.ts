import { limits } from '#config/limits.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Services } from '../core/services.ts'
import { keepConnection } from '../platform/kept-connection.ts'
import { Refusal } from '../platform/refusal.ts'
import { endAll, openHub, type Notice } from './hub.ts'

export type Live = Awaited<ReturnType<typeof openLive>>

type Options = { connection: pg.PoolConfig; services: Services; log: Logger }

/** Tells every open tab what others change, on whichever server they do it. */
export async function openLive({ connection, services: { store, now }, log }: Options) {
  const hub = openHub(store, log)
  const listener = await keepConnection({
    connection,
    name: 'atrium live',
    log,
    async prepare(client) {
      client.on('notification', ({ payload = '' }) => hub.take(JSON.parse(payload) as Notice))
      await client.query('listen live')
    },
    onLost: () =>
      log.warn('live updates are interrupted: there is no connection that listens to the database'),
    async onBack() {
      await hub.lookAgain()
      log.info('live updates go on')
    },
  })
  const heart = setInterval(
    () => hub.streams.forEach((stream) => stream.beat()),
    limits.live.heartbeat,
  )
  let isClosed = false

  return {
    /** The stream for the holder of this access token, until it or its session ends. */
    async open(accessToken: string) {
      const found = await store.sessions.findByAccessToken(accessToken, now())
      if (isClosed) throw new Refusal('unavailable')
      if (!found) throw new Refusal('sessionEnded')
      return hub.open(found.user.uid, found.session.id, found.expiresAt.getTime() - now().getTime())
    },

    /** Ends every stream, and opens no more: a server that stops would wait for them. */
    close() {
      isClosed = true
      endAll('stopping', hub.streams)
    },

    async stop() {
      this.close()
      clearInterval(heart)
      await listener.stop()
    },
  }
}
