import type { AuthUser } from '#contract/entities.ts'
import { createContext, useContext } from 'react'
import { session } from './session.ts'

const SignedInUser = createContext<AuthUser | undefined>(undefined)

/** `RequireSignedIn` gives the user, so that the screens inside it always have one. */
export const SignedInUserProvider = SignedInUser.Provider

/** The session on screens that are open to everyone. */
export const useVisitor = session.use

/** The signed-in user, on screens inside `RequireSignedIn`. */
export function useSession() {
  const user = useContext(SignedInUser)
  if (!user) throw new Error('useSession is for screens inside RequireSignedIn')
  return { user }
}
