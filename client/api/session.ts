import { limits } from '#config/limits.ts'
import type { CallInput, CallOutput } from '#contract/calls.ts'
import type { AuthUser, OpenedSubscription } from '#contract/entities.ts'
import { createStore } from '../platform/create-store.ts'
import { draftStores, forgetDrafts } from '../platform/storage.ts'
import { openChannel } from '../platform/tabs.ts'
import { CallError, isSignedOut, post } from './post.ts'
import { hasSession, inTurn, isSignOutPending, repeatSignOut, startSignOut } from './sign-out.ts'

/**
 * `left`: the user signed out or deleted the account. `ended`: it expired or was revoked. `told`: what
 * the sign-in says, which has no texts for signed-in people.
 */
export type Session =
  | { status: 'loading' }
  | { status: 'unreachable' }
  | { status: 'signedOut'; because?: 'left' | 'ended'; told?: string }
  | { status: 'signedIn'; user: AuthUser }

type SignedIn = CallOutput<'refreshSession'>
type Asked = CallInput<'refreshSession'>

export const session = createStore<Session>({ status: 'loading' })

/** The session, for screens that visitors can open. */
export const useVisitor = session.use

/** The signed-in user, for screens inside `RequireSignedIn`. Throws if nobody is signed in. */
export function useSession() {
  const current = session.use()
  if (current.status !== 'signedIn')
    throw new Error('useSession is for screens inside RequireSignedIn')
  return { user: current.user }
}

let token: string | undefined
let renewal: ReturnType<typeof setTimeout> | undefined
let refreshing: Promise<boolean> | undefined
/** The project that came with the session when the page started, and when in milliseconds. */
let opened: { subscription: OpenedSubscription; at: number } | undefined
/** While the account is being deleted, the session stays, so that its screen can report success. */
let isDeleting = false
/** Sends other tabs `changed`, after which they ask the server, or `left`, which signs them out. */
const tabs = openChannel('session')

export function currentToken() {
  return token
}

export function openedProject() {
  return opened
}

/** Finds out who is signed in when the page starts, and reads the project that the page opens. */
export async function startSession(subscriptionId: string | undefined) {
  tabs.addEventListener('message', ({ data }) => {
    if (data !== 'left') return void refreshSession()
    leave('left')
    // The other tab may close before its sign-out reaches the server.
    void repeatSignOut()
  })
  window.addEventListener('online', () => void repeatSignOut())
  void repeatSignOut()
  if (hasSession()) await refreshSession({ subscriptionId })
  else leave()
}

/** Accepts the answer to a sign-in or sign-up, unless the browser has not kept its cookies. */
export function enter(answer: SignedIn) {
  if (!hasSession()) throw new CallError('cookiesRefused')
  accept(answer)
  tellTabs('changed')
}

/** Finishes a sign-in in a popup window, whose cookies this window shares. */
export async function enterFromPopup() {
  if (!hasSession()) throw new CallError('cookiesRefused')
  if (!(await refreshSession())) throw new CallError('unavailable')
  tellTabs('changed')
}

/** Asks the server whether anybody is signed in, and who. Simultaneous calls share a request. */
export async function refreshSession(asked: Asked = {}) {
  if (isDeleting) return false
  refreshing ??= refresh(asked).finally(() => (refreshing = undefined))
  return refreshing
}

/** Refreshes the session after a change. A request under way may be older, so it ends first. */
export async function refreshAfterChange() {
  await refreshing
  return refreshSession()
}

/** Refreshes the session in every tab, when the user may have changed or the session have ended. */
export async function refreshUser() {
  if (session.get().status !== 'signedIn') return
  await refreshAfterChange()
  tellTabs('changed')
}

/** Signs out at once in every tab. The server learns of it as soon as it can be reached. */
export function signOut() {
  startSignOut(token)
  forgetSession()
}

/** Called with `true` before the account is deleted, and with `false` if the server refuses. */
export function expectDeletion(expected: boolean) {
  isDeleting = expected
}

export function expectsDeletion() {
  return isDeleting
}

/** Ends the user's session in this tab and the others, without a call to the server. */
export function forgetSession(told?: string) {
  isDeleting = false
  leave('left', told)
  tellTabs('left')
}

async function refresh(asked: Asked) {
  try {
    const answer = await inTurn(async () => {
      // The user may have signed out while this request waited for its turn.
      if (!hasSession()) throw new CallError('notSignedIn')
      return post('refreshSession', asked)
    })
    // The user signed out while the answer was on its way.
    if (isSignOutPending()) throw new CallError('notSignedIn')
    accept(answer)
    return true
  } catch (error) {
    const { status } = session.get()
    // If several calls find that the session has ended, only the first one stores the reason.
    if (isSignedOut(error) && status !== 'signedOut')
      leave(status === 'signedIn' ? 'ended' : undefined)
    if (!isSignedOut(error) && status !== 'signedIn') session.set({ status: 'unreachable' })
    return false
  }
}

function accept({ user, token: newToken, expiresIn, subscription }: SignedIn) {
  token = newToken
  opened = subscription && { subscription, at: Date.now() }
  clearTimeout(renewal)
  renewal = setTimeout(
    refreshSession,
    Math.max(expiresIn * 1000 - limits.sessions.renewBefore, limits.sessions.renewBefore / 10),
  )
  session.set({ status: 'signedIn', user })
}

function leave(because?: 'left' | 'ended', told?: string) {
  token = undefined
  opened = undefined
  clearTimeout(renewal)
  forgetDrafts(because === 'left' ? undefined : [draftStores.ofPayers])
  session.set({ status: 'signedOut', ...(because && { because }), ...(told && { told }) })
}

function tellTabs(message: 'changed' | 'left') {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin
  tabs.postMessage(message)
}
