import { Search } from 'lucide-react'
import { useState } from 'react'
import { useKeydown } from '../components/use-keydown.ts'
import { useT } from '../platform/i18n.ts'
import { Palette } from './palette.tsx'

const onApple = '⌘K'
const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** Opens the palette, as Ctrl-K does from anywhere but a dialog. */
export function PaletteButton() {
  const t = useT()
  /** Counts up while it opens again and again; 0 is closed. */
  const [opening, setOpening] = useState(0)

  function open() {
    if (!document.querySelector('dialog[open]')) setOpening((last) => last + 1)
  }

  /** A browser reports a closed dialog a frame later, when the next one may already be open. */
  function close() {
    setOpening((last) => (last === opening ? 0 : last))
  }

  useKeydown((event) => {
    const isWanted =
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.shiftKey &&
      event.key.toLowerCase() === 'k'
    if (!isWanted || event.isComposing) return
    event.preventDefault()
    open()
  })

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={t('palette.title')}
        onClick={open}
        className="flex h-9 items-center gap-2 rounded-control px-2 text-soft transition-colors hover:text-ink max-sm:hover:bg-sunken sm:border sm:border-line sm:bg-sunken sm:px-3 sm:hover:border-line-strong"
      >
        <Search aria-hidden className="size-4.5 sm:size-4" />
        <span className="max-sm:sr-only">{t('palette.open')}</span>
        <kbd
          aria-hidden
          className="ms-4 rounded-control border border-line-strong bg-surface px-1.5 font-sans text-label text-faint max-sm:hidden"
        >
          {isApple ? onApple : t('palette.keys')}
        </kbd>
      </button>
      {opening > 0 && <Palette key={opening} onClose={close} />}
    </>
  )
}
