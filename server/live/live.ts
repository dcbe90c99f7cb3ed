import { limits } from '#config/limits.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Services } from '../core/services.ts'
import { keepConnection } from '../running/kept-connection.ts'
import { Refusal } from '../platform/refusal.ts'
import { openHearing } from './hearing.ts'
import { endAll, openHub, type Notice } from './hub.ts'

/** Short, because nothing is heard on a connection that has died without a word. */
const patience = { connecting: 2000, answering: 2000 }

export type Live = Awaited<ReturnType<typeof openLive>>

type Options = { connection: pg.PoolConfig; services: Services; log: Logger }

/** Tells the open tabs what has changed, whichever server made the change. */
export async function openLive({ connection, services: { store, now, observer }, log }: Options) {
  const hub = openHub(store, log)
  const checkHearing = openHearing(log)
  let isListening = true
  const listener = await keepConnection({
    connection,
    name: 'atrium live',
    log,
    patience,
    async prepare(client) {
      client.on('notification', ({ channel, payload = '' }) => {
        if (channel !== 'live') return
        const notice = JSON.parse(payload) as Notice
        observer.count({ kind: 'notice', what: notice.what })
        hub.take(notice)
      })
      await client.query('listen live; listen live_check')
      // Nothing waits for it: a connection that hears nothing keeps up with the rest.
      void checkHearing(client).catch(() => undefined)
    },
    beat: { every: limits.database.hear, ask: checkHearing },
    onLost() {
      isListening = false
      log.warn('live updates are interrupted: there is no connection that listens to the database')
    },
    async onBack() {
      await hub.lookAgain()
      isListening = true
      log.info('live updates go on')
    },
  })
  const heart = setInterval(
    () => hub.streams.forEach((stream) => stream.beat()),
    limits.live.heartbeat,
  )
  let isClosed = false

  return {
    countStreams: () => hub.streams.size,
    isListening: () => isListening,

    /** Opens a stream that ends with the access token or its session. */
    async open(accessToken: string) {
      const found = await store.sessions.findByAccessToken(accessToken, now())
      if (isClosed) throw new Refusal('unavailable')
      if (!found) throw new Refusal('sessionEnded')
      return hub.open(found.user.uid, found.session.id, found.expiresAt.getTime() - now().getTime())
    },

    /** Ends every stream and opens no more, because a stopping server waits for open streams. */
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
