import { useLocation } from 'react-router'

/** An e-mail address handed over by the screen before. It travels outside the address, which ends up in logs. */
export function usePrefilledEmail(): string | undefined {
  const { state } = useLocation()
  return typeof state?.email === 'string' ? state.email : undefined
}
