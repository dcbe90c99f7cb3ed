import type { MessageKey } from '#locales/keys.ts'
import type { ReactNode } from 'react'
import { useT } from '../platform/i18n.ts'

/** Fields of a form that belong together, under what they are for. */
export function FormSection({ title, children }: { title: MessageKey; children: ReactNode }) {
  const t = useT()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-4 text-card">{t(title)}</legend>
      <div className="grid gap-4">{children}</div>
    </fieldset>
  )
}
