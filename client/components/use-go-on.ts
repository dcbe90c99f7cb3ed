import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Replaces this screen with another one, unless the user has left it. */
export function useGoOn() {
  const navigate = useNavigate()
  const isHere = useIsHere()
  return useCallback(
    (to: string, state?: unknown) => isHere() && void navigate(to, { replace: true, state }),
    [navigate, isHere],
  )
}

/**
 * Leaves a form for the screen above it. A user who came from that screen goes back in the history,
 * so that "back" doesn't open the form again and a list is as it was. Otherwise the screen replaces
 * the form.
 */
export function useReturn() {
  const navigate = useNavigate()
  return useCallback(
    (to: string) => {
      const entry = entryBackAt(to)
      // Steps can't be counted, because a bank's page in a frame adds entries.
      return entry ? void window.navigation.traverseTo(entry.key) : navigate(to, { replace: true })
    },
    [navigate],
  )
}

/** Returns by itself after a time for reading. Without `to`, it stays. */
export function useTimedReturn(to: string | undefined, milliseconds: number) {
  const goBack = useReturn()
  const isHere = useIsHere()
  useEffect(() => {
    if (to === undefined) return
    const timer = setTimeout(() => isHere() && void goBack(to), milliseconds)
    return () => clearTimeout(timer)
  }, [to, milliseconds, goBack, isHere])
}

/** Compares with the real address, which changes while this screen is still drawn. */
function useIsHere() {
  const { pathname, search } = useLocation()
  return useCallback(
    () => window.location.pathname === pathname && window.location.search === search,
    [pathname, search],
  )
}

/** The history's entry before the steps of the form, if that is the screen to return to. */
function entryBackAt(to: string) {
  const wanted = new URL(to, location.origin)
  const index = window.navigation?.currentEntry?.index ?? 0
  const before = window.navigation?.entries().slice(0, index) ?? []
  const last = before.findLast(({ url }) => {
    const { pathname, search } = new URL(url ?? wanted)
    const isStep = pathname === location.pathname
    return !isStep || (pathname === wanted.pathname && search === wanted.search)
  })
  return last?.sameDocument && new URL(last.url!).pathname === wanted.pathname ? last : undefined
}
