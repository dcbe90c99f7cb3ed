import { useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * The URL's query parameters, and a function that changes them unless the user has left the screen.
 * It starts from the browser's URL, which may be newer than the drawn one.
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
