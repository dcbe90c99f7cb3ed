import { useEffect, type RefObject } from 'react'

type Dialog = RefObject<HTMLDialogElement | null>

/** Opens the dialog as a modal when it is drawn. */
export function useModal(dialog: Dialog) {
  useCloseOnReturn(dialog)
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [dialog])
}

/** The browser's "back" closes the dialog. */
export function useCloseOnReturn(dialog: Dialog) {
  useEffect(() => {
    const close = () => dialog.current?.close()
    window.addEventListener('popstate', close)
    return () => window.removeEventListener('popstate', close)
  }, [dialog])
}
