import { paths } from '#contract/paths.ts'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The parameter of a link that holds its code, by the path that it opens. */
export const parameters: Record<string, string> = {
  [paths.authAction]: 'oobCode',
  [paths.invitation]: 'code',
  [paths.join]: 'code',
}

/** The code of the mailed link that the tab opened, also after a reload or a way back. */
export function useMailedCode(): string | undefined {
  const { pathname, search, state } = useLocation()
  const inUrl = new URLSearchParams(search).get(parameters[pathname] ?? '')
  return inUrl ?? (typeof state?.code === 'string' ? state.code : undefined)
}

/** Moves the code from the address bar, which is logged and shared, into the tab's history entry. */
export function useHiddenCode() {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  // Not a layout effect: the router listens to the history only after those of its first drawing.
  useEffect(() => {
    const query = new URLSearchParams(search)
    const parameter = parameters[pathname] ?? ''
    const code = query.get(parameter)
    if (code === null) return
    query.delete(parameter)
    const to = { pathname, search: query.size > 0 ? `?${query}` : '', hash }
    void navigate(to, { replace: true, state: { ...state, code } })
  }, [pathname, search, hash, state, navigate])
}
