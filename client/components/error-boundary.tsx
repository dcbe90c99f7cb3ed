import { Component, useEffect, useState, type ReactNode } from 'react'
import { useT } from '../platform/i18n.ts'
import { isOutdated, missingFile, reloadOnce } from '../platform/new-version.ts'
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

/** After an update, the files of the former version are gone: then a reload brings the new one. */
function Failed() {
  const t = useT()
  const [kind, setKind] = useState<'broken' | 'newVersion' | 'notLoaded'>('broken')

  useEffect(() => {
    const missing = missingFile()
    if (!missing) return
    async function findOut(isTyping: boolean) {
      const isNew = await isOutdated()
      setKind(isNew ? 'newVersion' : 'broken')
      if (isNew && !isTyping) reloadOnce()
    }
    findOut(missing.isTyping).catch(() => setKind('notLoaded'))
  }, [])

  return (
    <div className="grid min-h-100 place-content-center justify-items-center gap-3 p-6 text-center">
      <PageTitle title={t(`common.${kind}Title`)} />
      <p className="max-w-100 text-soft">{t(`common.${kind}`)}</p>
      <Button variant="primary" onClick={() => location.reload()}>
        {t('common.reload')}
      </Button>
    </div>
  )
}
