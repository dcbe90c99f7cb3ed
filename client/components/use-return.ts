import { useCallback } from 'react'
import { useNavigate } from 'react-router'

/**
 * Leaves a form for the screen above it. Whoever came from there goes back there: "back" then doesn't lead into the form again, and a list
 * is found as it was left. Else that screen takes the place of the form.
 */
export function useReturn() {
  const navigate = useNavigate()
  return useCallback(
    (to: string) => {
      const entry = entryBackAt(to)
      // By its key: what a bank's page did in its frame lies between, where steps are counted.
      return entry ? void window.navigation.traverseTo(entry.key) : navigate(to, { replace: true })
    },
    [navigate],
  )
}

/** Past the steps of the form itself, each of which has an address; none where the browser doesn't tell. */
function entryBackAt(to: string) {
  const entries = window.navigation?.entries() ?? []
  const here = window.navigation?.currentEntry?.index ?? 0
  const wanted = new URL(to, location.origin)
  for (let index = here - 1; index >= 0; index--) {
    const entry = entries[index]!
    const { url, sameDocument } = entry
    if (!sameDocument || url === null) return undefined
    const { pathname, search } = new URL(url)
    const isStep = pathname === location.pathname
    if (pathname === wanted.pathname && (!isStep || search === wanted.search)) return entry
    if (!isStep) return undefined
  }
  return undefined
}
