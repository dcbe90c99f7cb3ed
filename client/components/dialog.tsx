import { useEffect, useId, type ReactNode, type RefObject } from 'react'

type DialogRef = RefObject<HTMLDialogElement | null>

type DialogProps = {
  /** Closes the dialog with a result: `dialog.current.close('saved')`. */
  ref: DialogRef
  title: string
  /** Runs each time the dialog closes. The result is empty if the user pressed Escape. */
  onClose: (result: string) => void
  children: ReactNode
}

/** A modal dialog, open while it is drawn. The browser keeps the focus inside until it closes. */
export function Dialog({ ref, title, onClose, children }: DialogProps) {
  const id = useId()
  useModal(ref)
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={({ currentTarget }) => onClose(currentTarget.returnValue)}
      className="m-auto w-[calc(100%-2rem)] max-w-auth animate-appear rounded-card border border-line bg-raised p-5 text-ink shadow-over backdrop:bg-veil sm:p-6"
    >
      <h2 id={id} className="mb-4 text-lead font-semibold wrap-anywhere">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** Opens the dialog as a modal when it is drawn. */
export function useModal(dialog: DialogRef) {
  useCloseOnReturn(dialog)
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [dialog])
}

/** Closes the dialog when the user goes back in the browser. */
export function useCloseOnReturn(dialog: DialogRef) {
  useEffect(() => {
    const close = () => dialog.current?.close()
    window.addEventListener('popstate', close)
    return () => window.removeEventListener('popstate', close)
  }, [dialog])
}
