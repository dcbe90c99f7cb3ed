import { useState } from 'react'
import { useLocation } from 'react-router'

/** Starts with the address from the previous screen, which is not in the URL: those are logged. */
export function useEmailField() {
  return {
    name: 'email',
    label: 'auth.email',
    autoComplete: 'username',
    defaultValue: useKeptAddress(),
    required: true,
  } as const
}

/** Makes links to other screens for visitors, which keep the typed address and the wanted place. */
export function useLinksWithAddress() {
  const { search, state } = useLocation()
  const [email, setEmail] = useState(useKeptAddress())
  const linkTo = (path: string) => ({ to: path + search, state: { ...state, email } })
  return { linkTo, onType: setEmail }
}

function useKeptAddress() {
  const { state } = useLocation()
  return typeof state?.email === 'string' ? state.email : undefined
}
