import type { AuthUser } from '#contract/entities.ts'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { currentSession, subscribeToSession } from './session.ts'

const SignedInUser = createContext<AuthUser | undefined>(undefined)

/** Given by the guard of the signed-in screens, so that those inside never see nobody. */
export const SignedInUserProvider = SignedInUser.Provider

/** Who is here, if anybody: for screens that are open to everyone. */
export function useVisitor() {
  return useSyncExternalStore(subscribeToSession, currentSession)
}

/** Who is signed in, on screens where somebody is. */
export function useSession() {
  const user = useContext(SignedInUser)
  if (!user) throw new Error('useSession is for screens inside RequireSignedIn')
  return { user }
}
