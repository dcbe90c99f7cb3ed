import type { CallName, CallOutput } from '#contract/calls.ts'
import { useRef, type RefObject } from 'react'
import { toast } from '../platform/toasts.ts'
import { CallForm, type CallFormProps } from './call-form.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps<Name extends CallName> = CallFormProps<Name> & {
  title: string
  /** What a toast says after success, when the dialog is closed. */
  said?: string
  /** Takes the focus then, because the pressed button may be gone. */
  focus?: RefObject<HTMLElement | null>
  /** Gets `said`, or an empty text if the user closes the dialog first. */
  onClose: (said: string) => void
}

/** Asks before a call. The focus starts on the harmless button, which is the first one. */
export function ConfirmDialog<Name extends CallName>(props: ConfirmDialogProps<Name>) {
  const { title, said = '', focus, onDone, onClose, danger = true, ...form } = props
  const dialog = useRef<HTMLDialogElement>(null)

  async function finish(output: CallOutput<Name>) {
    await onDone?.(output)
    // The user may have closed the dialog during the call.
    if (dialog.current?.open) dialog.current.close(said)
    else close(said)
  }

  function close(said: string) {
    onClose(said)
    if (!said) return
    toast(said)
    focus?.current?.focus({ preventScroll: true })
  }

  return (
    <Dialog ref={dialog} title={title} onClose={close}>
      <CallForm<Name>
        {...form}
        onDone={finish}
        cancel={() => dialog.current?.close()}
        danger={danger}
      />
    </Dialog>
  )
}
