import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Visit } from '../handle.ts'

export type VisitOptions = { publicUrl: string; trustProxy: boolean }

/** Only the server reads this one; it is sent to calls and nowhere else. */
const refreshCookie = 'atrium_refresh'
/** Tells the app that asking for a session is worth it. It proves nothing. */
const markerCookie = 'atrium_signed_in'

/** One for each sign-in at a provider that is under way. */
const flowCookie = 'atrium_flow_'
const flowPath = '/auth/provider'

/** Where a request comes from, and the cookies that keep its session. */
export function visitOf(c: Context, { publicUrl, trustProxy }: VisitOptions): Visit {
  const common = { secure: publicUrl.startsWith('https:'), sameSite: 'Lax' } as const
  return {
    address: addressOf(c, trustProxy),
    userAgent: (c.req.header('user-agent') ?? '').slice(0, 300),
    // A page of another site may send the cookie along only with a form or a link; a call is neither.
    refreshToken: isOwn(c, publicUrl) ? getCookie(c, refreshCookie) : undefined,
    keepRefreshToken(token, expires) {
      setCookie(c, refreshCookie, token, { ...common, path: '/api', httpOnly: true, expires })
      setCookie(c, markerCookie, '1', { ...common, path: '/', expires })
    },
    forgetRefreshToken() {
      deleteCookie(c, refreshCookie, { ...common, path: '/api', httpOnly: true })
      deleteCookie(c, markerCookie, { ...common, path: '/' })
    },
    keepFlowSecret(flow, secret, { expiresAt, posted }) {
      // A form of another site brings only cookies that say so, and those have to be secure.
      const site = posted ? ({ secure: true, sameSite: 'None' } as const) : common
      setCookie(c, flowCookie + flow, secret, { ...site, path: flowPath, httpOnly: true, expires: expiresAt })
    },
    takeFlowSecret(flow) {
      const secret = getCookie(c, flowCookie + flow)
      if (secret !== undefined) deleteCookie(c, flowCookie + flow, { path: flowPath })
      return secret
    },
  }
}

function isOwn(c: Context, publicUrl: string) {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || origin === new URL(publicUrl).origin
}

function addressOf(c: Context, trustProxy: boolean) {
  // The last entry is the one that our own proxy wrote; those before it are whatever the visitor claims.
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded || connectionAddress(c) || 'unknown'
}

function connectionAddress(c: Context) {
  return c.env && 'incoming' in c.env ? getConnInfo(c).remote.address : undefined
}
