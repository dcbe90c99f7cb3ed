import type { MessageKey } from '#locales/keys.ts'
import type { ReactNode } from 'react'
import { useT } from '../i18n.ts'
import { Card } from './card.tsx'
import { PageTitle } from './page-title.tsx'

/** A screen that is one form. */
export function FormPage({ title, intro, children }: { title: MessageKey; intro?: MessageKey; children: ReactNode }) {
  const t = useT()
  return (
    <div className="mx-auto grid w-full max-w-form gap-5">
      <PageTitle title={t(title)}>{intro && <p className="mt-1.5 text-soft">{t(intro)}</p>}</PageTitle>
      <Card>{children}</Card>
    </div>
  )
}
