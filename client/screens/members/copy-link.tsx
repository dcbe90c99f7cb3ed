import { useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { copyText } from '../../components/copy-id.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/fields.tsx'
import { useT } from '../../platform/i18n.ts'

type CopyLinkProps = { url: string; email: string; date: string; onClose: () => void }

/** Shows the link of an invitation where the browser didn't let the app copy it. */
export function CopyLink({ url, email, date, onClose }: CopyLinkProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)

  function copy() {
    copyText(url, t('users.link.done', { email, date })).then(
      () => dialog.current?.close(),
      () => dialog.current?.querySelector('input')?.select(),
    )
  }

  return (
    <Dialog ref={dialog} title={t('users.link.title')} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-soft wrap-anywhere">{t('users.link.text', { email, date })}</p>
        <TextField
          name="url"
          label="users.link.label"
          value={url}
          readOnly
          required
          onFocus={({ target }) => target.select()}
        />
        <FormActions>
          <Button size="large" onClick={() => dialog.current?.close()}>
            {t('users.selection.close')}
          </Button>
          <Button variant="primary" size="large" onClick={copy}>
            {t('users.link.copy')}
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
