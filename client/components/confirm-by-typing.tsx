import type { MessageKey } from '#locales/keys.ts'
import { Check } from 'lucide-react'
import { useState } from 'react'
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
  const [isMatch, setMatch] = useState(false)

  function compare(text: string) {
    setMatch(text.trim() === id)
    onMatch?.(text.trim() === id)
  }

  return (
    <div className="grid gap-3 rounded-notice border border-line p-4">
      <div>
        <p className="text-small font-strong">{t(title)}</p>
        <CopyId id={id} />
      </div>
      <TextField
        name="confirmationId"
        label={label}
        aside={
          <span aria-live="polite" className="text-small font-medium text-good">
            {isMatch && (
              <>
                <Check className="me-1 inline size-3.5 align-[-2px]" />
                {t('forms.matches')}
              </>
            )}
          </span>
        }
        onChange={({ target }) => compare(target.value)}
        data-secret
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="id-text"
        required
      />
    </div>
  )
}

/** The typed id, without the spaces that copying may add. */
export function confirmationOf(values: FormData) {
  return textOf(values, 'confirmationId').trim()
}
