import { limits } from '#config/limits.ts'
import { logError } from '../platform/log.ts'
import { forget, remember, remembered } from '../platform/storage.ts'
import { isSignedOut, post } from './post.ts'

/** Kept from the click until the server knows. */
const storageKey = 'pending-sign-out'

/** Of the session that has to end. A page that was loaded since has none. */
let token: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Until the server has ended the session, nobody is signed in by the cookies that are left. */
export function isSignOutPending() {
  return remembered(storageKey) !== null
}

/** Signs out here at once, and at the server as soon as it can be reached. */
export function startSignOut(accessToken: string | undefined) {
  remember(storageKey, 'yes')
  token = accessToken
  forgetMarker()
  void repeatSignOut()
}

/** Tries to sign out at the server, and again later until that works. */
export async function repeatSignOut() {
  clearTimeout(timer)
  try {
    await finishSignOut()
  } catch (error) {
    logError('Signing out failed, and will be tried again.', error)
    timer = setTimeout(repeatSignOut, limits.sessions.signOutAgain)
  }
}

/** Ends the session at the server, if it was signed out of here. Rejects without a connection. */
export function finishSignOut() {
  return inTurn(endAtServer)
}

async function endAtServer(): Promise<void> {
  if (!isSignOutPending()) return
  const known = token
  try {
    token = known ?? (await post('refreshSession', {})).token
    forgetMarker()
    await post('signOut', {}, { token, keepalive: true })
  } catch (error) {
    if (!isSignedOut(error)) throw error
    token = undefined
    // The access token may have ended before the session.
    if (known !== undefined) return endAtServer()
  }
  token = undefined
  forget(storageKey)
}

/** The marker beside the HttpOnly cookie. On https its name has the prefix. */
export function hasSession() {
  return !isSignOutPending() && /(^|; )(__Host-)?atrium_signed_in=1/.test(document.cookie)
}

function forgetMarker() {
  for (const marker of [
    'atrium_signed_in=; path=/; max-age=0',
    '__Host-atrium_signed_in=; path=/; max-age=0; secure',
  ]) {
    // oxlint-disable-next-line unicorn/no-document-cookie -- the cookie store answers later
    document.cookie = marker
  }
}

/** The refresh token changes with every use, so tabs use it one after the other. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request('session', work) : work()
}
