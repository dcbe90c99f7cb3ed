import type { CallOutput } from '#contract/calls.ts'
import { useEffect, useId, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyId } from '../../components/copy-id.tsx'
import { useT } from '../../platform/i18n.ts'

export type Made = CallOutput<'createAccessToken'>

/** A new access token, which nobody can see again. */
export function NewToken({ made, onKept }: { made: Made; onKept: () => void }) {
  const t = useT()
  const section = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => section.current!.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      className="grid scroll-mt-20 justify-items-start gap-3 border-t border-line px-inset py-4 outline-none"
    >
      <h3 id={id} className="font-strong wrap-anywhere">
        {t('tokens.made', { name: made.accessToken.name })}
      </h3>
      <p className="text-soft">{t('tokens.madeText')}</p>
      <CopyId
        id={made.token}
        label={t('tokens.copy')}
        className="rounded-notice bg-tint px-4 py-3"
      />
      <Button variant="primary" onClick={onKept}>
        {t('tokens.kept')}
      </Button>
    </section>
  )
}
