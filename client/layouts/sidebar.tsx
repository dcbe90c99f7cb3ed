import { PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from 'lucide-react'
import { useState } from 'react'
import { classes } from '../components/classes.ts'
import { useT } from '../i18n.ts'
import { remember, remembered } from '../storage.ts'
import { MenuLinks } from './menu-links.tsx'

const storageKey = 'sidebar'

/** The menu on wide screens: open, or closed to its icons. The browser remembers which. */
export function Sidebar() {
  const t = useT()
  const [closed, setClosed] = useState(() => remembered(storageKey) === 'closed')

  function toggle() {
    remember(storageKey, closed ? 'open' : 'closed')
    setClosed(!closed)
  }

  const [Open, Close] =
    document.dir === 'rtl' ? [PanelRightOpen, PanelRightClose] : [PanelLeftOpen, PanelLeftClose]
  const Icon = closed ? Open : Close
  const label = t(closed ? 'layout.openSidebar' : 'layout.closeSidebar')
  return (
    <div
      className={classes(
        'shrink-0 border-e border-line bg-sunken max-lg:hidden print:hidden',
        closed ? 'w-20' : 'w-64',
      )}
    >
      <nav
        aria-label={t('layout.menu')}
        className="sticky top-[calc(3.5rem+var(--offline-bar,0rem))] flex h-[calc(100dvh-3.5rem-var(--offline-bar,0rem))] flex-col justify-between px-3 py-4"
      >
        <MenuLinks closed={closed} />
        <button
          type="button"
          onClick={toggle}
          aria-label={label}
          aria-expanded={!closed}
          title={closed ? label : undefined}
          className={classes(
            'flex h-9 items-center gap-2.5 rounded-control px-3 text-small text-faint transition-colors hover:text-ink',
            closed && 'justify-center',
          )}
        >
          <Icon aria-hidden strokeWidth={1.75} className="size-4.5" />
          {!closed && label}
        </button>
      </nav>
    </div>
  )
}
