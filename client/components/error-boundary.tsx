import { Component, type ReactNode } from 'react'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { PageTitle } from './page-title.tsx'

/** Catches unexpected errors, for example when a new release has replaced a chunk of this page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Failed /> : this.props.children
  }
}

function Failed() {
  const t = useT()
  return (
    <div className="grid min-h-100 place-content-center justify-items-center gap-3 p-6 text-center">
      <PageTitle title={t('common.brokenTitle')} />
      <p className="max-w-100 text-soft">{t('common.broken')}</p>
      <Button variant="primary" onClick={() => location.reload()}>
        {t('common.reload')}
      </Button>
    </div>
  )
}
