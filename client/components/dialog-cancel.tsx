import type { RefObject } from 'react'
import { useT } from '../i18n.ts'
import { Button } from './button.tsx'

/** The way out of a dialog that does harm. The focus starts here, so that pressing Enter twice does none. */
export function DialogCancel({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const t = useT()
  return (
    <Button ref={startHere} size="large" onClick={() => dialog.current?.close()}>
      {t('common.cancel')}
    </Button>
  )
}

/** What an opening dialog looks for. React's `autoFocus` would focus while the dialog is still closed. */
function startHere(button: HTMLButtonElement | null) {
  button?.setAttribute('autofocus', '')
}
