import { useRef, useState, type ComponentProps } from 'react'
import { useT } from '../platform/i18n.ts'
import { Breakable } from './breakable.tsx'
import { TextField } from './fields.tsx'
import { likelyAddress } from './likely-address.ts'
import { LiveRegion } from './message.tsx'
import { useSettled } from './use-settled.ts'

type AddressFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'onInput'> & {
  onType?: ((address: string) => void) | undefined
}

/** A field for an email address. It asks about an address that looks mistyped, and takes any. */
export function AddressField({ onType, ...props }: AddressFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const meant = likelyAddress(typed)

  function accept() {
    const input = field.current!
    input.value = meant!
    input.dispatchEvent(new Event('input', { bubbles: true }))
    input.focus()
  }

  return (
    <div>
      <TextField
        {...props}
        ref={field}
        type="email"
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          onType?.(value)
        }}
      />
      <DidYouMean {...{ typed, meant }} onAccept={accept} />
    </div>
  )
}

type DidYouMeanProps = { typed: string; meant: string | undefined; onAccept: () => void }

/** Asks whether the address `meant`, if any, is what the user meant in `typed`. */
export function DidYouMean({ typed, meant, onAccept }: DidYouMeanProps) {
  const t = useT()
  // A question that came while somebody types, or presses the button, would be in their way.
  const settled = useSettled(typed, 700)
  return (
    <LiveRegion>
      {meant && settled === typed && (
        <button
          type="button"
          onClick={onAccept}
          className="mt-1.5 rounded-control text-start text-small font-medium text-accent-ink underline-offset-3 hover:underline"
        >
          <Breakable text={t('forms.didYouMean', { email: meant })} />
        </button>
      )}
    </LiveRegion>
  )
}
