import { limits } from '#config/limits.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { AuthUser } from '#contract/entities.ts'
import { createStore } from '../platform/create-store.ts'
import { CallError, isSignedOut, post } from './post.ts'
import { hasSession, inTurn, isSignOutPending, repeatSignOut, startSignOut } from './sign-out.ts'

/** `left`: by signing out or deleting the account. `ended`: the session ended meanwhile. */
export type Session =
  | { status: 'loading' }
  | { status: 'unreachable' }
  | { status: 'signedOut'; because?: 'left' | 'ended' }
  | { status: 'signedIn'; user: AuthUser }

type SignedIn = CallOutput<'refreshSession'>

export const session = createStore<Session>({ status: 'loading' })

/** The session on screens that are open to everyone. */
export const useVisitor = session.use

/** The signed-in user, on screens inside `RequireSignedIn`. */
export function useSession() {
  const current = session.use()
  if (current.status !== 'signedIn')
    throw new Error('useSession is for screens inside RequireSignedIn')
  return { user: current.user }
}

let token: string | undefined
let renewal: ReturnType<typeof setTimeout> | undefined
let refreshing: Promise<boolean> | undefined
/** The account is being deleted: nothing is asked again, and its screen tells the end. */
let isDeleting = false
/** Tells the other tabs to ask again who is signed in, or that nobody is. */
const tabs = new BroadcastChannel('session')

export function currentToken() {
  return token
}

/** Asks the server who is signed in, if anybody is. */
export async function startSession() {
  tabs.addEventListener('message', ({ data }) => {
    if (data !== 'left') return void refreshSession()
    leave('left')
    // The other tab may be closed before it has told the server.
    void repeatSignOut()
  })
  window.addEventListener('online', () => void repeatSignOut())
  void repeatSignOut()
  if (hasSession()) await refreshSession()
  else session.set({ status: 'signedOut' })
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

/** Asks the server: true if somebody is signed in. Requests at the same time share one answer. */
export async function refreshSession(): Promise<boolean> {
  if (isDeleting) return false
  refreshing ??= refresh().finally(() => (refreshing = undefined))
  return refreshing
}

/** Asks after a change: an answer that is under way may be older. */
export async function refreshAfterChange() {
  await refreshing
  return refreshSession()
}

/** The user may have changed, or the session ended: this tab asks again, as do the others. */
export async function refreshUser() {
  if (session.get().status !== 'signedIn') return
  await refreshAfterChange()
  tellTabs('changed')
}

/** Signs out at once in every tab; the server hears of it as soon as it can be reached. */
export function signOut() {
  startSignOut(token)
  forgetSession()
}

/** From the start of a deletion until `forgetSession`, or until it is refused. */
export function expectDeletion(expected: boolean) {
  isDeleting = expected
}

export function expectsDeletion() {
  return isDeleting
}

/** The server has ended the session: nobody is signed in any more, here and in the other tabs. */
export function forgetSession() {
  isDeleting = false
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
    const { status } = session.get()
    // Of several calls that find this out, the first one has said why.
    if (isSignedOut(error) && status !== 'signedOut')
      leave(status === 'signedIn' ? 'ended' : undefined)
    if (!isSignedOut(error) && status !== 'signedIn') session.set({ status: 'unreachable' })
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
  session.set({ status: 'signedIn', user })
}

function leave(because?: 'left' | 'ended') {
  token = undefined
  clearTimeout(renewal)
  session.set({ status: 'signedOut', ...(because && { because }) })
}

function tellTabs(message: 'changed' | 'left') {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  tabs.postMessage(message)
}
