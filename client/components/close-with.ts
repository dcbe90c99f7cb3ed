import type { RefObject } from 'react'

/** Closes a dialog with a result. Who closed it before there was one is told it all the same. */
export function closeWith(
  result: string,
  dialog: RefObject<HTMLDialogElement | null>,
  onClose: (result: string) => void,
) {
  if (dialog.current?.open) dialog.current.close(result)
  else onClose(result)
}
