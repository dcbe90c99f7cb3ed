import { limits } from '#config/limits.ts'
import { slug } from '#contract/slug.ts'
import { logError } from '../platform/log.ts'
import { forget, remember, remembered } from '../platform/storage.ts'
import { withLock } from '../platform/tabs.ts'
import { isSignedOut, post } from './post.ts'

/** In storage from the user's click on "sign out" until the server has ended the session. */
const storageKey = 'pending-sign-out'

/** The cookie that tells of a session; scripts can't read the session's own. */
const marker = `${slug}_signed_in`
const hasMarker = new RegExp(`(^|; )(__Host-)?${marker}=1`)

/** The access token of the session to end. Undefined if the page was reloaded since the click. */
let token: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether the server has yet to end a session. Until then, leftover cookies sign nobody in. */
export function isSignOutPending() {
  return remembered(storageKey) !== null
}

/** Signs out in this browser at once, and at the server as soon as it can be reached. */
export function startSignOut(accessToken: string | undefined) {
  remember(storageKey, 'yes')
  token = accessToken
  forgetMarker()
  void repeatSignOut()
}

/** Tells the server of a pending sign-out, and tries again later until that works. */
export async function repeatSignOut() {
  clearTimeout(timer)
  try {
    await finishSignOut()
  } catch (error) {
    logError('Signing out failed, and will be tried again.', error)
    timer = setTimeout(repeatSignOut, limits.sessions.signOutAgain)
  }
}

/** Ends the session at the server if a sign-out is pending. Rejects if that fails. */
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
    // The access token may have expired before the session, so the next try gets a new one.
    if (known !== undefined) return endAtServer()
  }
  token = undefined
  forget(storageKey)
}

/** Whether this browser has a session. */
export function hasSession() {
  return !isSignOutPending() && hasMarker.test(document.cookie)
}

function forgetMarker() {
  for (const ended of [
    `${marker}=; path=/; max-age=0`,
    `__Host-${marker}=; path=/; max-age=0; secure`,
  ]) {
    // oxlint-disable-next-line unicorn/no-document-cookie -- the CookieStore API is asynchronous
    document.cookie = ended
  }
}

/** Whether the browser keeps our cookies. Without them, the next request is nobody's. */
export function keepsCookies() {
  const probe = 'probe=1'
  // oxlint-disable-next-line unicorn/no-document-cookie -- the CookieStore API is asynchronous
  document.cookie = `${probe}; path=/`
  const isKept = document.cookie.includes(probe)
  // oxlint-disable-next-line unicorn/no-document-cookie -- the CookieStore API is asynchronous
  document.cookie = `${probe}; path=/; max-age=0`
  return isKept
}

/** Runs `work` in one tab at a time, because every use of the refresh token changes it. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return withLock('session', work)
}
