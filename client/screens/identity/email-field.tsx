import { useState } from 'react'
import { useLocation } from 'react-router'
import { AddressField } from '../../components/address-field.tsx'

type EmailFieldProps = { onType?: ((address: string) => void) | undefined }

/** Starts with the address from the previous screen, which is not in the URL: those are logged. */
export function EmailField({ onType }: EmailFieldProps) {
  return (
    <AddressField
      name="email"
      label="auth.email"
      autoComplete="username"
      defaultValue={useKeptAddress()}
      onType={onType}
      required
    />
  )
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
