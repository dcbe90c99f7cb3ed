import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useT } from '../platform/i18n.ts'
import { toast } from '../platform/toasts.ts'
import { classes } from './classes.ts'

type CopyIdProps = {
  id: string
  shown?: string
  label?: string
  onCopied?: () => void
  className?: string
}

/** `shown`: the id in groups, which are easier to type. */
export function CopyId({ id, shown = id, label, onCopied, className }: CopyIdProps) {
  const t = useT()
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    await navigator.clipboard.writeText(id)
    setCopied(true)
    onCopied?.()
  }

  return (
    <span className={classes('inline-flex max-w-full items-center gap-1 text-soft', className)}>
      <span className="id-text">{shown}</span>
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={label ?? t('common.copyId')}
        title={label ?? t('common.copyId')}
        className="touch-target relative grid size-6 shrink-0 place-items-center rounded-control text-faint hover:bg-tint hover:text-ink print:hidden"
      >
        {copied ? <Check className="size-3.5 text-good" /> : <Copy className="size-3.5" />}
      </button>
      <output className="sr-only">{copied && t('common.copied')}</output>
    </span>
  )
}

export async function copyText(text: string, said: string) {
  await navigator.clipboard.writeText(text)
  toast(said)
}
