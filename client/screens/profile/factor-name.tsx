import { TextField } from '../../components/fields.tsx'

type FactorNameProps = { of: 'twoStep' | 'passkeys'; name: string }

/** What the user calls an app that shows codes, or a passkey. */
export function FactorName({ of, name }: FactorNameProps) {
  const label = `profile.${of}.name` as const
  return (
    <TextField
      name="factorName"
      label={label}
      defaultValue={name}
      maxLength={50}
      autoComplete="off"
      required
    />
  )
}
