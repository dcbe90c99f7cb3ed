import { limits } from '#config/limits.ts'
import type { Logger } from 'pino'
import type { Services } from '../core/services.ts'
import type { Presence } from '../running/presence.ts'
import { Refusal } from '../platform/refusal.ts'
import { endAll, openHub, type Notice } from './hub.ts'

export type Live = Awaited<ReturnType<typeof openLive>>

type Options = { presence: Presence; services: Services; log: Logger }

/** Tells the open tabs what has changed, whichever server made the change. */
export async function openLive({ presence, services, log }: Options) {
  const { store, tokenUses, now, observer } = services
  const hub = openHub(store, now, log)
  let isListening = true
  let isClosed = false
  await presence.listen({
    channel: 'live',
    hear(payload) {
      const notice = JSON.parse(payload) as Notice
      observer.count({ kind: 'notice', what: notice.what })
      hub.take(notice)
    },
    onLost() {
      isListening = false
      log.warn('live updates are interrupted: there is no connection that listens to the database')
    },
    onBack() {
      isListening = true
      log.info('live updates go on')
      // A tab whose stream ends connects again, and reads everything anew.
      hub.lookAgain().catch(() => endAll('stopping', hub.streams))
    },
  })
  const heart = setInterval(
    () => hub.streams.forEach((stream) => stream.beat()),
    limits.live.heartbeat,
  )

  return {
    countStreams: () => hub.streams.size,
    isListening: () => isListening,

    /** Opens a stream that ends with the access token or its session. */
    async open(accessToken: string, network: string) {
      const found = await store.sessions.findByAccessToken(accessToken, now())
      if (isClosed) throw new Refusal('unavailable')
      if (!found) throw new Refusal('sessionEnded')
      const { user, session, expiresAt } = found
      if (user.accessToken) await tokenUses.count({ id: session.id, network, at: now() }, services)
      return hub.open({
        userId: user.uid,
        sessionId: session.id,
        accessToken: user.accessToken,
        passed: session.secondStepAt !== null,
        left: expiresAt.getTime() - now().getTime(),
      })
    },

    /** Ends every stream and opens no more, because a stopping server waits for open streams. */
    close() {
      isClosed = true
      endAll('stopping', hub.streams)
    },

    stop() {
      this.close()
      clearInterval(heart)
    },
  }
}
