import type { MessageKey } from '#locales/keys.ts'
import { useT } from '../i18n.ts'
import { CopyId } from './copy-id.tsx'
import { TextField } from './text-field.tsx'
import { textOf } from './text-of.ts'

type ConfirmByTypingProps = {
  id: string
  /** What the id is. */
  title: MessageKey
  /** What to do with it. */
  label: MessageKey
  onMatch?: (isMatch: boolean) => void
}

/** An id, and the field into which it is typed or pasted before something is done that can't be undone. */
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

/** What was typed, without the space around it that copying may bring along. */
export function confirmationOf(values: FormData) {
  return textOf(values, 'confirmationId').trim()
}
