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
      const steps = stepsBackTo(to)
      return steps > 0 ? navigate(-steps) : navigate(to, { replace: true })
    },
    [navigate],
  )
}

/** Past the steps of the form itself, each of which has an address; none where the browser doesn't tell. */
function stepsBackTo(to: string) {
  const entries = window.navigation?.entries() ?? []
  const here = window.navigation?.currentEntry?.index ?? 0
  const wanted = new URL(to, location.origin)
  for (let index = here - 1; index >= 0; index--) {
    const { url, sameDocument } = entries[index]!
    if (!sameDocument || url === null) return 0
    const { pathname, search } = new URL(url)
    const isStep = pathname === location.pathname
    if (pathname === wanted.pathname && (!isStep || search === wanted.search)) return here - index
    if (!isStep) return 0
  }
  return 0
}
