import type { LucideIcon } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

export type MenuAction = { key: string; label: string; icon: LucideIcon; onSelect: () => void }

type MenuProps = {
  label: string
  className: string
  children: ReactNode
  head?: ReactNode
  actions: MenuAction[]
}

/** A button that opens a menu of actions. The menu starts with `head`. */
export function MenuButton({ label, className, children, head, actions }: MenuProps) {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const isByKey = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const items = () => [...menu.current!.querySelectorAll<HTMLElement>('[role=menuitem]')]

  /** Focuses the button first, so that a dialog opened by the action returns the focus to it. */
  function choose({ onSelect }: MenuAction) {
    menu.current?.hidePopover()
    trigger.current?.focus()
    onSelect()
  }

  function openByArrow(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' || isOpen) return
    event.preventDefault()
    trigger.current?.click()
  }

  function move(event: KeyboardEvent) {
    if (event.key === 'Tab') return menu.current?.hidePopover()
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const startsWithKey = ({ textContent }: HTMLElement) =>
      event.key.length === 1 && textContent.toLowerCase().startsWith(event.key.toLowerCase())
    const next = {
      ArrowDown: all[at + 1],
      ArrowUp: at < 0 ? all.at(-1) : all[at - 1],
      Home: all[0],
      End: all.at(-1),
    }
    const isMove = event.key in next
    const to = isMove
      ? next[event.key as keyof typeof next]
      : [...all.slice(at + 1), ...all].find(startsWithKey)
    if (isMove) event.preventDefault()
    to?.focus()
  }

  return (
    <>
      <button
        ref={trigger}
        type="button"
        popoverTarget={id}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={label}
        // A click with `detail` 0 comes from the keyboard.
        onClick={({ detail }) => (isByKey.current = detail === 0)}
        onKeyDown={openByArrow}
        className={className}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        onToggle={({ newState }) => {
          if (newState === 'closed') setOpen(false)
          else (isByKey.current ? items()[0] : menu.current)?.focus()
        }}
        onKeyDown={move}
        className="inset-auto m-0 mt-1 max-w-60 min-w-52 animate-appear rounded-notice border border-line bg-surface p-1 text-start text-body font-normal text-ink shadow-over outline-none [position-area:block-end_span-inline-start] [position-try-fallbacks:flip-block]"
      >
        {isOpen && head && (
          <div className="mb-1 border-b border-line px-3 pt-2 pb-3 wrap-anywhere">{head}</div>
        )}
        {isOpen &&
          actions.map((action) => (
            <button
              key={action.key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => choose(action)}
              className="flex min-h-9 w-full items-center gap-2.5 rounded-control px-3 text-start -outline-offset-2 hover:bg-sunken focus:bg-sunken max-fold:min-h-11"
            >
              <action.icon className="size-4 shrink-0 text-soft" />
              {action.label}
            </button>
          ))}
      </div>
    </>
  )
}
