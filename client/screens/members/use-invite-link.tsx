import type { EpochSeconds } from '#contract/entities.ts'
import { paths } from '#contract/paths.ts'
import type { ReactNode } from 'react'
import { useAction } from '../../api/call.ts'
import type { CallError } from '../../api/post.ts'
import { useProject } from '../../layouts/use-project.ts'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { CopyLink } from './copy-link.tsx'

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
