import type { ReactNode } from 'react'
import { useT } from '../../i18n.ts'

/**
 * Shows a price beside the fields of a form; on narrow screens, between the fields and the button.
 */
export function BesideSummary({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid gap-4">{children}</div>
      <div className="lg:sticky" style={belowTopBar}>
        <SummaryBox>{summary}</SummaryBox>
      </div>
    </div>
  )
}

export function SummaryBox({ children }: { children: ReactNode }) {
  const t = useT()
  return (
    <section
      aria-label={t('billing.summary.title')}
      className="grid gap-4 rounded-notice bg-sunken p-4"
    >
      {children}
    </section>
  )
}

const belowTopBar = { top: '5rem' }
