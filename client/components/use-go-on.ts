import { createContext, useCallback, useContext, useEffect, type MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Whether the next screen opens because a form has done its work, even if it lies back. */
export const led = { isOn: false }

/** Returns a function that replaces this screen with another one, unless the user has left it. */
export function useGoOn() {
  const navigate = useNavigate()
  const isHere = useIsHere()
  return useCallback(
    (to: string, state?: unknown) => isHere() && void navigate(to, { replace: true, state }),
    [navigate, isHere],
  )
}

/**
 * Returns a function that leads from a form to the screen above it. If the user came from there, it
 * goes back in the history, so that "back" doesn't open the form again and a list keeps its state.
 */
export function useReturn() {
  const navigate = useNavigate()
  return useCallback(
    (to: string) => {
      const entry = entryBackAt(to)
      // Going back by a number of steps would fail: a bank's page in a frame adds history entries.
      return entry ? void window.navigation.traverseTo(entry.key) : navigate(to, { replace: true })
    },
    [navigate],
  )
}

/**
 * For a link to the screen above: its URL, and a handler that goes back where possible. `isDone`:
 * the link stands in a form that has done its work.
 */
export function useReturnLink(to: string, isDone = false) {
  const goBack = useReturn()

  function onClick(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    led.isOn = isDone
    void goBack(to)
  }

  return { to, onClick }
}

/** Loads a screen, and reads its data again, before the app leads there. */
export const GetReady = createContext<(pathname: string) => unknown>(() => {})

/** Gets `to` ready while the user reads that the app leads there. */
export function useGetReady(to: string | undefined) {
  const getReady = useContext(GetReady)
  useEffect(() => {
    if (to !== undefined) getReady(new URL(to, location.origin).pathname)
  }, [to, getReady])
}

/** Returns to `to` after a time for reading. Without `to`, does nothing. */
export function useTimedReturn(to: string | undefined, milliseconds: number) {
  const goBack = useReturn()
  const isHere = useIsHere()
  useEffect(() => {
    if (to === undefined) return
    const timer = setTimeout(() => isHere() && void goBack(to), milliseconds)
    return () => clearTimeout(timer)
  }, [to, milliseconds, goBack, isHere])
}

/**
 * Whether the user is still here, and so led on. The browser's URL changes while this screen is
 * still drawn.
 */
function useIsHere() {
  const { pathname, search } = useLocation()
  return useCallback(
    () => (led.isOn = window.location.pathname === pathname && window.location.search === search),
    [pathname, search],
  )
}

/** The last history entry before the steps of the form, if it is the screen to return to. */
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
