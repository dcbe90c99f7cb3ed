import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useT } from '../i18n.ts'
import { classes } from './classes.ts'

/** An id as it is written, with a button that copies it. */
export function CopyId({ id, className }: { id: string; className?: string }) {
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
  }

  return (
    <span className={classes('inline-flex max-w-full items-center gap-1 text-soft', className)}>
      <span className="id-text">{id}</span>
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={t('common.copyId')}
        title={t('common.copyId')}
        className="grid size-6 shrink-0 place-items-center rounded-control text-faint hover:bg-sunken hover:text-ink"
      >
        {copied ? <Check className="size-3.5 text-good" /> : <Copy className="size-3.5" />}
      </button>
      <output className="text-label text-good">{copied && t('common.copied')}</output>
    </span>
  )
}
