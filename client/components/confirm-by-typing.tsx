import type { MessageKey } from '#locales/keys.ts'
import { useT } from '../platform/i18n.ts'
import { CopyId } from './copy-id.tsx'
import { TextField, textOf } from './fields.tsx'

type ConfirmByTypingProps = {
  id: string
  /** What the screen calls the id. */
  title: MessageKey
  label: MessageKey
  onMatch?: (isMatch: boolean) => void
}

/** Makes the user type or paste an id before something that can't be undone. */
export function ConfirmByTyping({ id, title, label, onMatch }: ConfirmByTypingProps) {
  const t = useT()
  return (
    <>
      <div>
        <p className="text-small font-strong">{t(title)}</p>
        <CopyId id={id} />
      </div>
      <TextField
        name="confirmationId"
        label={label}
        onChange={({ target }) => onMatch?.(target.value.trim() === id)}
        data-secret
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="id-text"
        required
      />
    </>
  )
}

/** The typed id, without the spaces that copying may add. */
export function confirmationOf(values: FormData) {
  return textOf(values, 'confirmationId').trim()
}
