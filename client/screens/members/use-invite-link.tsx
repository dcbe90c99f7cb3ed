import type { EpochSeconds } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import { useRef, type ReactNode } from 'react'
import { useAction } from '../../api/call.ts'
import type { CallError } from '../../api/post.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { Button } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { copyText } from '../../components/copy-id.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/fields.tsx'

type UseInviteLink = {
  /** Shows a dialog, or removes it. */
  show: (dialog: ReactNode) => void
  onRefused?: (error: CallError) => void
}
type Linked = { id: string; email: string; expires: EpochSeconds | null }

/** Copies a new link of an invitation. Where the browser doesn't let it, a dialog shows the link. */
export function useInviteLink({ show, onRefused }: UseInviteLink) {
  const t = useT()
  const format = useFormat()
  const { subscriptionId } = useProject()
  const { run, busy, error } = useAction('createInviteLink', onRefused)

  async function copy({ id, email, expires }: Linked) {
    const made = run({ subscriptionId, inviteId: id }).then(
      (output) => output && new URL(linkPath(output.code), location.origin).href,
    )
    const words = { email, date: format.date(expires ?? 0) }
    const isCopied = await copied(made)
    const url = await made
    if (url && isCopied) toast(t('users.link.done', words))
    else if (url) show(<CopyLink {...words} url={url} onClose={() => show(undefined)} />)
  }

  return { copy, busy, error }
}

function linkPath(code: string) {
  return `${paths.invitation}?code=${encodeURIComponent(code)}`
}

/** Whether the text could be copied. It may arrive after the click, in which Safari wants this. */
async function copied(text: Promise<string | undefined>) {
  try {
    const plain = text.then((text) => new Blob([text!], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })])
    return true
  } catch {
    return false
  }
}

type CopyLinkProps = { url: string; email: string; date: string; onClose: () => void }

/** Shows the link of an invitation where the browser didn't let the app copy it. */
function CopyLink({ url, email, date, onClose }: CopyLinkProps) {
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
