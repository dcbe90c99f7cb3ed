import { useT } from '../platform/i18n.ts'

/** Leads the keyboard past the menu. It shows itself while it has the focus. */
export function SkipLink() {
  const t = useT()
  return (
    <a
      href="#main"
      className="sr-only z-30 print:hidden rounded-control bg-accent font-strong text-on-accent focus:not-sr-only focus:fixed focus:start-3 focus:top-2.5 focus:px-4 focus:py-2"
    >
      {t('layout.skip')}
    </a>
  )
}
