import type { CallName, CallOutput } from '#contract/calls.ts'
import { useRef } from 'react'
import { CallForm, type CallFormProps } from './call-form.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps<Name extends CallName> = Omit<CallFormProps<Name>, 'onDone'> & {
  title: string
  /** Runs after the call succeeds and before the dialog closes. Returns the text for `onClose`. */
  onDone: (output: CallOutput<Name>) => string | Promise<string>
  /** Gets the text from `onDone`. Gets an empty text if the user closes the dialog first. */
  onClose: (done: string) => void
}

/** Asks before a call. The focus starts on the harmless button, which is the first one. */
export function ConfirmDialog<Name extends CallName>(props: ConfirmDialogProps<Name>) {
  const { title, onDone, onClose, danger = true, ...form } = props
  const dialog = useRef<HTMLDialogElement>(null)

  async function finish(output: CallOutput<Name>) {
    const done = await onDone(output)
    // The user may have closed the dialog during the call.
    if (dialog.current?.open) dialog.current.close(done)
    else onClose(done)
  }

  return (
    <Dialog ref={dialog} title={title} onClose={onClose}>
      <CallForm<Name>
        {...form}
        onDone={finish}
        cancel={() => dialog.current?.close()}
        danger={danger}
      />
    </Dialog>
  )
}
