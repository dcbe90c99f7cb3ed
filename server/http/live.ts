import { Hono } from 'hono'
import { pseudonym, type KeyedHash } from '../platform/keyed-hash.ts'
import type { Live } from '../live/live.ts'
import { Refusal } from '../platform/refusal.ts'
import { bearerOf, refusalFor, type HttpEnv } from './request.ts'

/** The access token of a stream comes in a header, so other sites can't open a stream. */
export function liveRoutes(live: Live, keyedHash: KeyedHash) {
  return new Hono<HttpEnv>()
    .get('/', async (c) => {
      // Nobody would read the stream of a HEAD request.
      if (c.req.method === 'HEAD') return c.body(null, 405, { allow: 'GET' })
      const token = bearerOf(c)
      if (token === undefined) throw new Refusal('notSignedIn')
      const { userId, accessToken, body } = await live.open(token, c.get('visit').network)
      const user = pseudonym(keyedHash, userId)
      c.get('log').info({ user, token: accessToken?.id, status: 200 }, 'a live stream')
      return c.body(body, 200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // Keeps proxies from holding the stream back until it ends.
        'x-accel-buffering': 'no',
        // A stopping server must not wait for a next request on this connection.
        connection: 'close',
      })
    })
    .onError((error, c) => {
      const refusal = refusalFor(error, c, 'a live stream failed')
      if (refusal.reason !== 'internal')
        c.get('log').info({ status: refusal.httpStatus, refused: refusal.reason }, 'a live stream')
      return c.json(refusal.toBody(), refusal.httpStatus, { 'cache-control': 'no-store' })
    })
}
