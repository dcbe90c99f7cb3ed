import { useLocation } from 'react-router'
import { TextField } from '../../components/fields.tsx'

/** Starts with the address from the previous screen, which is not in the URL: those are logged. */
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
