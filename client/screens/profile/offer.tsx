import type { MessageKey } from '#locales/keys.ts'
import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { useT } from '../../i18n.ts'

type OfferProps = { title: MessageKey; text: MessageKey; action: ReactNode; children?: ReactNode }

/** A card with one thing to do, and below it what came of it. */
export function Offer({ title, text, action, children }: OfferProps) {
  const t = useT()
  return (
    <Card title={t(title)} className="max-w-180">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 flex-1 basis-60 text-soft">{t(text)}</p>
        {action}
      </div>
      {children}
    </Card>
  )
}
