import { TextField } from '../../components/fields.tsx'

/** What the user calls an app that shows codes. */
export function FactorName({ name }: { name: string }) {
  return (
    <TextField
      name="factorName"
      label="profile.twoStep.name"
      defaultValue={name}
      maxLength={50}
      autoComplete="off"
      required
    />
  )
}
