import { limits } from '#config/limits.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Refusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import { endAll, openHub } from './hub.ts'
import { openListener } from './listener.ts'

export type Live = Awaited<ReturnType<typeof openLive>>

type Options = { connection: pg.PoolConfig; services: Services; log: Logger }

/** Tells every open tab what others have changed, on whichever server they did it. */
export async function openLive({ connection, services: { store, now }, log }: Options) {
  const hub = openHub(store)
  const listener = await openListener({ connection, log, onFact: hub.take, onGap: hub.lookAgain })
  const heart = setInterval(
    () => hub.streams().forEach((stream) => stream.beat()),
    limits.live.heartbeat,
  )
  let isClosed = false

  return {
    /** The events for whoever holds this access token, until it or its session ends. */
    async open(accessToken: string) {
      if (isClosed) throw new Refusal('unavailable')
      const found = await store.sessions.findByAccessToken(accessToken, now())
      if (!found) throw new Refusal('sessionEnded')
      const left = found.expiresAt.getTime() - now().getTime()
      const stream = await hub.open(found.user.id, found.session.id, left)
      if (isClosed) stream.end('stopping')
      return stream
    },

    /** Ends every stream, and opens no more: a server that stops would wait for them. */
    close() {
      isClosed = true
      endAll('stopping', hub.streams())
    },

    async stop() {
      this.close()
      clearInterval(heart)
      await listener.stop()
    },
  }
}
