import { useLocation } from 'react-router'
import { TextField } from '../../components/text-field.tsx'

/**
 * Begins with the address from the screen before. The URL doesn't carry it: URLs end up in logs.
 */
export function EmailField() {
  const { state } = useLocation()
  return (
    <TextField
      name="email"
      type="email"
      label="auth.email"
      autoComplete="username"
      defaultValue={typeof state?.email === 'string' ? state.email : undefined}
      required
    />
  )
}
