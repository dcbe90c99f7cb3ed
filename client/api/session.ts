import { limits } from '#config/limits.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { AuthUser } from '#contract/entities.ts'
import { CallError, isSignedOut, post } from './post.ts'
import { hasSession, inTurn, isSignOutPending, repeatSignOut, startSignOut } from './sign-out.ts'

/** `left` says that the visitor wanted to sign out, `ended` that the session stopped under them. */
export type Session =
  | { status: 'loading' }
  | { status: 'unreachable' }
  | { status: 'signedOut'; because?: 'left' | 'ended' }
  | { status: 'signedIn'; user: AuthUser }

type SignedIn = CallOutput<'refreshSession'>

let session: Session = { status: 'loading' }
let token: string | undefined
let renewal: ReturnType<typeof setTimeout> | undefined
let refreshing: Promise<boolean> | undefined
const listeners = new Set<() => void>()
/** Tells the other tabs that they have to ask again who is signed in, or that nobody is. */
const tabs = new BroadcastChannel('session')

export function currentSession() {
  return session
}

export function currentToken() {
  return token
}

export function subscribeToSession(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Asks who is signed in, if somebody is. */
export async function startSession() {
  tabs.addEventListener('message', ({ data }) => {
    if (data !== 'left') return void refreshSession()
    leave('left')
    // The other tab may be closed before it has told the server.
    void repeatSignOut()
  })
  void repeatSignOut()
  if (hasSession()) await refreshSession()
  else setSession({ status: 'signedOut' })
}

/** After signing in or up. */
export function enter(answer: SignedIn) {
  accept(answer)
  tellTabs('changed')
}

/** After signing in in another window, which has left its cookie here. */
export async function enterFromPopup() {
  if (!(await refreshSession())) throw new CallError('unavailable')
  tellTabs('changed')
}

/** Asks anew who is signed in; whether somebody is. However many ask at once, one request is made. */
export function refreshSession(): Promise<boolean> {
  refreshing ??= refresh().finally(() => (refreshing = undefined))
  return refreshing
}

/** After something has changed: an answer that is still under way may be older. */
export async function refreshAfterChange() {
  await refreshing
  return refreshSession()
}

/** The user changed: this tab asks again, and so do the others. */
export async function refreshUser() {
  if (session.status !== 'signedIn') return
  await refreshAfterChange()
  tellTabs('changed')
}

/** Ends the session, at once here and in the other tabs, whether or not the server can be told. */
export function endSession() {
  startSignOut(token)
  forgetSession()
}

/** The session is over and the server knows: in this tab and the others nobody is signed in any more. */
export function forgetSession() {
  leave('left')
  tellTabs('left')
}

async function refresh() {
  try {
    const answer = await inTurn(renew)
    // Signed out while the answer was on its way.
    if (isSignOutPending()) throw new CallError('notSignedIn')
    accept(answer)
    return true
  } catch (error) {
    const refused = isSignedOut(error)
    // Of several calls that find out, the first one has said why.
    if (refused && session.status !== 'signedOut')
      leave(session.status === 'signedIn' ? 'ended' : undefined)
    if (!refused && session.status !== 'signedIn') setSession({ status: 'unreachable' })
    return false
  }
}

/** While waiting for its turn, the session may have been signed out of. */
async function renew() {
  if (!hasSession()) throw new CallError('notSignedIn')
  return post('refreshSession', {})
}

function accept({ user, token: newToken, expiresIn }: SignedIn) {
  token = newToken
  clearTimeout(renewal)
  renewal = setTimeout(
    refreshSession,
    Math.max(expiresIn * 1000 - limits.sessions.renewBefore, limits.sessions.renewBefore / 10),
  )
  setSession({ status: 'signedIn', user })
}

function leave(because?: 'left' | 'ended') {
  token = undefined
  clearTimeout(renewal)
  setSession({ status: 'signedOut', ...(because && { because }) })
}

function tellTabs(message: 'changed' | 'left') {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  tabs.postMessage(message)
}

function setSession(next: Session) {
  session = next
  for (const listener of listeners) listener()
}
