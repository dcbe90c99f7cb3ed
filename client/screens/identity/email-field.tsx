import { useLocation } from 'react-router'
import { TextField } from '../../components/text-field.tsx'

/**
 * Starts with the email address from the previous screen. The router's state carries it, because
 * URLs end up in logs.
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
