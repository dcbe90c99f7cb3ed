import type { CallOutput } from '#contract/calls.ts'
import { Copy } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { copyText } from '../../components/copy-id.tsx'
import { useT } from '../../platform/i18n.ts'

export type Made = CallOutput<'createAccessToken'>

/** A new access token, which nobody can see again. */
export function NewToken({ made, onKept }: { made: Made; onKept: () => void }) {
  const t = useT()
  const section = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => {
    section.current!.focus({ preventScroll: true })
    section.current!.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      className="grid gap-3 border-t border-line px-inset py-4 outline-none"
    >
      <h3 id={id} className="font-strong wrap-anywhere">
        {t('tokens.made', { name: made.accessToken.name })}
      </h3>
      <p className="text-soft">{t('tokens.madeText')}</p>
      <p className="w-fit max-w-full rounded-notice bg-tint px-4 py-3">
        <span className="id-text">{made.token}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Copy />} onClick={() => void copyText(made.token, t('common.copied'))}>
          {t('tokens.copy')}
        </Button>
        <Button variant="primary" onClick={onKept} className="sm:ms-auto">
          {t('tokens.kept')}
        </Button>
      </div>
    </section>
  )
}
