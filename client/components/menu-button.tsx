import type { LucideIcon } from 'lucide-react'
import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { part, usePart } from './use-part.ts'

export type MenuAction = { key: string; label: string; icon: LucideIcon; onSelect: () => void }

export type MenuProps = {
  label: string
  className: string
  children: ReactNode
  head?: ReactNode
  actions: MenuAction[]
}

const load = part<MenuProps & { atFirst: boolean }>(async () => (await import('./menu.tsx')).Menu)

/** What can be done, behind one button; `head` says with what. The menu itself is fetched when somebody is about to open it. */
export function MenuButton(props: MenuProps) {
  const { Part: Menu, open, preload } = usePart(load)
  const [byKeyboard, setByKeyboard] = useState(false)
  if (Menu) return <Menu {...props} atFirst={byKeyboard} />

  /** A click that no pointer made is a key. */
  function click({ detail }: MouseEvent) {
    setByKeyboard(detail === 0)
    void open()
  }

  function press(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    setByKeyboard(true)
    void open()
  }

  const { label, className, children } = props
  return (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      title={label}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={click}
      onKeyDown={press}
      className={className}
    >
      {children}
    </button>
  )
}
