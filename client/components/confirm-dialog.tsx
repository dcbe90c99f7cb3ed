import type { CallName } from '#contract/calls.ts'
import { useRef } from 'react'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { CallForm, type CallFormProps } from './call-form.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps<Name extends CallName> = Omit<CallFormProps<Name>, 'onDone'> & {
  title: string
  /** Runs after the call succeeds and before the dialog closes. Returns the text for `onClose`. */
  onDone: () => string | Promise<string>
  /** Gets the text from `onDone`. Gets an empty text if the user closes the dialog first. */
  onClose: (done: string) => void
}

export function ConfirmDialog<Name extends CallName>(props: ConfirmDialogProps<Name>) {
  const { title, onDone, onClose, children, ...form } = props
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)

  async function finish() {
    const done = await onDone()
    // The user may have closed the dialog during the call.
    if (dialog.current?.open) dialog.current.close(done)
    else onClose(done)
  }

  return (
    <Dialog ref={dialog} title={title} onClose={onClose}>
      <div className="grid gap-3">
        <CallForm<Name> {...(form as CallFormProps<Name>)} onDone={finish} danger wide>
          {children}
        </CallForm>
        <Button ref={startHere} size="large" onClick={() => dialog.current?.close()}>
          {t('common.cancel')}
        </Button>
      </div>
    </Dialog>
  )
}

/** Makes a dialog focus its harmless button as it opens. React's `autoFocus` is too early. */
function startHere(button: HTMLButtonElement | null) {
  button?.setAttribute('autofocus', '')
}
