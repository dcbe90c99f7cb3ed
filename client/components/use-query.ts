import { useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * The query of the address, and its change in place. A change adds to those that are not drawn yet,
 * and is none for whoever has gone elsewhere.
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
