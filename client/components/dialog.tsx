import { useId, type ReactNode, type RefObject } from 'react'
import { useModal } from './use-modal.ts'

type DialogProps = {
  /** Closes it with a result: `dialog.current.close('saved')`. */
  ref: RefObject<HTMLDialogElement | null>
  title: string
  /** Runs for every way to close. The result is empty for Escape. */
  onClose: (result: string) => void
  children: ReactNode
}

/** Open while it is drawn. The browser keeps the focus inside, and returns it afterwards. */
export function Dialog({ ref, title, onClose, children }: DialogProps) {
  const id = useId()
  useModal(ref)
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={({ currentTarget }) => onClose(currentTarget.returnValue)}
      className="m-auto w-[calc(100%-2rem)] max-w-auth animate-appear rounded-card border border-line bg-surface p-5 text-ink shadow-over backdrop:bg-veil sm:p-6"
    >
      <h2 id={id} className="mb-4 text-lead font-semibold wrap-anywhere">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
