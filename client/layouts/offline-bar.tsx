import { WifiOff } from 'lucide-react'
import { useT } from '../i18n.ts'

/** A notice below the top bar while there is no connection. */
export function OfflineBar({ isOnline }: { isOnline: boolean }) {
  const t = useT()
  return (
    <output className="sticky top-14 z-10 block">
      {!isOnline && (
        <span className="flex min-h-10 items-center gap-3 border-b border-line bg-warn-soft px-4 py-2 text-small text-warn sm:px-5">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          <span>
            {t('common.sentences', { first: t('offline.title'), second: t('offline.text') })}
          </span>
        </span>
      )}
    </output>
  )
}
