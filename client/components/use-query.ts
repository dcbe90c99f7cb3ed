import { useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * The query of the address, and its change in place. A change builds on changes that are not drawn
 * yet, and does nothing after the user has left the screen.
 */
export function useQuery() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { pathname } = useLocation()

  function change(edit: (params: URLSearchParams) => void, state?: unknown) {
    if (window.location.pathname !== pathname) return
    const next = new URLSearchParams(window.location.search)
    edit(next)
    void navigate({ search: next.toString() }, { replace: true, state })
  }

  return [params, change] as const
}
