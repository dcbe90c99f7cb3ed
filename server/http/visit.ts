import { limits } from '#config/limits.ts'
import { slug } from '#contract/slug.ts'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Logger } from 'pino'
import type { Visit } from '../core/services.ts'
import { networkOf, visitorAddress } from '../platform/networks.ts'
import type { Env } from '../running/env.ts'

type VisitOptions = Pick<Env, 'publicUrl' | 'trustedProxies' | 'allowedOrigins'> & { log: Logger }
export type VisitOf = ReturnType<typeof openVisits>

/** Holds the refresh token. Scripts in the browser can't read it. */
const refreshCookie = `${slug}_refresh`
/** Tells the app that there may be a session. The server does not trust this cookie. */
const markerCookie = `${slug}_signed_in`
/** Holds a mark for each account that has signed in on this device. Signing out keeps it. */
const deviceCookie = `${slug}_device`

/** Ties a sign-in that waits for its second step to this browser. */
const waitingCookie = `${slug}_waiting`

/** A prefix: each of these cookies holds the secret of one provider sign-in in progress. */
const flowCookie = `${slug}_flow_`
const flowPath = '/auth/provider'

/** Reads where requests come from, and reads and writes their cookies. */
export function openVisits({ publicUrl, trustedProxies, allowedOrigins, log }: VisitOptions) {
  // `__Host-`, only accepted on https, keeps other hosts of the domain from setting the cookie.
  const common = publicUrl.startsWith('https:')
    ? ({ prefix: 'host', secure: true, sameSite: 'Lax' } as const)
    : ({ prefix: undefined, secure: false, sameSite: 'Lax' } as const)
  const hidden = { ...common, httpOnly: true }
  let hasWarned = false

  function addressOf(c: Context) {
    const forwarded = c.req.header('x-forwarded-for')
    if (forwarded !== undefined && trustedProxies === 0 && !hasWarned) {
      hasWarned = true
      log.warn(
        'X-Forwarded-For is ignored because TRUST_PROXY is not set. Behind a proxy, rate limits count all visitors as one: set TRUST_PROXY to the number of proxies, or to their networks',
      )
    }
    return visitorAddress(connectionAddress(c), forwarded, trustedProxies)
  }

  /** Pages of other origins have no cookies here, not even where the browser sends some. */
  function cookieOf(c: Context, name: string) {
    return allowedOrigins.includes(c.req.header('origin') ?? '')
      ? undefined
      : getCookie(c, name, common.prefix)
  }

  return function visitOf(c: Context): Visit {
    const address = addressOf(c)
    return {
      address,
      network: networkOf(address),
      // HTTP lets C1 controls through, which a terminal would obey.
      userAgent: (c.req.header('user-agent') ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, 300),
      // Ignores the refresh token if a page of another site sent the request.
      refreshToken: isFromOurSite(c, publicUrl) ? cookieOf(c, refreshCookie) : undefined,
      keepRefreshToken(token, expires) {
        setCookie(c, refreshCookie, token, { ...hidden, path: '/api', expires })
        setCookie(c, markerCookie, '1', { ...common, path: '/', expires })
      },
      forgetRefreshToken() {
        deleteCookie(c, refreshCookie, { ...hidden, path: '/api' })
        deleteCookie(c, markerCookie, { ...common, path: '/' })
      },
      mayHaveSession: cookieOf(c, markerCookie) !== undefined,
      device: cookieOf(c, deviceCookie),
      keepDevice(device) {
        const maxAge = limits.devices.remembered / 1000
        setCookie(c, deviceCookie, device, { ...hidden, path: '/', maxAge })
      },
      waiting: cookieOf(c, waitingCookie),
      keepWaiting(secret) {
        const maxAge = limits.factors.resolver / 1000
        setCookie(c, waitingCookie, secret, { ...hidden, path: '/', maxAge })
      },
      keepFlowSecret(flow, secret, { expiresAt: expires, posted }) {
        // Only such cookies come with a form of another site.
        const site = posted ? ({ ...hidden, secure: true, sameSite: 'None' } as const) : hidden
        setCookie(c, flowCookie + flow, secret, { ...site, path: flowPath, expires })
      },
      takeFlowSecret(flow) {
        const secret = cookieOf(c, flowCookie + flow)
        if (secret !== undefined) deleteCookie(c, flowCookie + flow, { ...common, path: flowPath })
        return secret
      },
    }
  }
}

/** Whether our own pages, a typed address or a program sent the request. */
export function isFromOurSite(c: Context, publicUrl: string) {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || origin === new URL(publicUrl).origin
}

function connectionAddress(c: Context) {
  return c.env && 'incoming' in c.env ? getConnInfo(c).remote.address : undefined
}
