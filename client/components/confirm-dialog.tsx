import type { CallName } from '#contract/calls.ts'
import { useRef, type RefObject } from 'react'
import { useT } from '../i18n.ts'
import { Button } from './button.tsx'
import { CallForm, type CallFormProps } from './call-form.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps<Name extends CallName> = Omit<CallFormProps<Name>, 'onDone'> & {
  title: string
  /** Runs before the dialog closes. Its text is what `onClose` gets. */
  onDone: () => string | Promise<string>
  /** Gets an empty text if nothing was done. */
  onClose: (done: string) => void
}

/** Asks before a call that does harm. */
export function ConfirmDialog<Name extends CallName>(props: ConfirmDialogProps<Name>) {
  const { title, onDone, onClose, children, ...form } = props
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
        <DialogCancel dialog={dialog} />
      </div>
    </Dialog>
  )
}

/** Has the focus first, so that pressing Enter twice does no harm. */
export function DialogCancel({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const t = useT()
  return (
    <Button ref={startHere} size="large" onClick={() => dialog.current?.close()}>
      {t('common.cancel')}
    </Button>
  )
}

/** A dialog that opens focuses this element. React's `autoFocus` would come before it opens. */
function startHere(button: HTMLButtonElement | null) {
  button?.setAttribute('autofocus', '')
}
