import type { MessageKey } from '#locales/keys.ts'
import { Check } from 'lucide-react'
import { useContext, useRef, useState } from 'react'
import { useT } from '../platform/i18n.ts'
import { CopyId } from './copy-id.tsx'
import { FormErrors, TextField, textOf } from './fields.tsx'

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
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const isMatch = text.trim() === id
  const isRefused = 'confirmationId' in useContext(FormErrors)

  function compare(text: string) {
    setText(text)
    onMatch?.(text.trim() === id)
  }

  return (
    <div className="grid gap-3 rounded-notice border border-line p-4">
      <div>
        <p className="text-small font-strong">{t(title)}</p>
        <CopyId id={id} onCopied={() => field.current?.focus()} />
      </div>
      <div>
        <TextField
          ref={field}
          name="confirmationId"
          label={label}
          onChange={({ target }) => compare(target.value)}
          data-secret
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="id-text"
          required
        />
        <div aria-live="polite" className="mt-1.5 text-small">
          {!isRefused && isMatch && (
            <p className="font-medium text-good">
              <Check className="me-1 inline size-3.5 align-[-2px]" />
              {t('memberForms.matches')}
            </p>
          )}
          {!isRefused && !isMatch && (
            <p className="text-soft">{t(text ? 'memberForms.noMatch' : 'memberForms.toMatch')}</p>
          )}
        </div>
      </div>
    </div>
  )
}

/** The typed id, without the spaces that copying may add. */
export function confirmationOf(values: FormData) {
  return textOf(values, 'confirmationId').trim()
}
