import { Menu, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../components/button.tsx'
import { Logo } from '../components/logo.tsx'
import { useCloseOnReturn } from '../components/use-modal.ts'
import { useT } from '../i18n.ts'
import { MenuLinks } from './menu-links.tsx'

/** The menu on narrow screens: it slides in over the screen. */
export function MenuSheet() {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  useCloseOnReturn(dialog)
  return (
    <div className="lg:hidden">
      <Button
        variant="quiet"
        size="icon"
        aria-haspopup="dialog"
        aria-label={t('layout.openMenu')}
        onClick={() => dialog.current?.showModal()}
        icon={<Menu className="size-5!" />}
      />
      <dialog
        ref={dialog}
        aria-label={t('layout.menu')}
        closedby="any"
        className="h-dvh max-h-none w-72 max-w-[85vw] border-e border-line bg-sunken text-ink shadow-over backdrop:bg-veil open:animate-slide-in"
      >
        <div className="flex h-14 items-center justify-between ps-5 pe-3">
          <Logo />
          <Button
            variant="quiet"
            size="icon"
            aria-label={t('layout.closeMenu')}
            onClick={close}
            icon={<X className="size-5!" />}
          />
        </div>
        <nav aria-label={t('layout.menu')} className="p-3">
          <MenuLinks onChoose={close} />
        </nav>
      </dialog>
    </div>
  )
}
