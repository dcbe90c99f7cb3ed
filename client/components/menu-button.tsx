import { Check, type LucideIcon } from 'lucide-react'
import { Fragment, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { isOfInputMethod } from './use-keydown.ts'

/** An action, a link to a screen (`to`), or a link to another site or program (`href`). */
export type MenuAction = {
  key: string
  label: string
  icon?: LucideIcon
  /** Stands in place of the icon. */
  picture?: ReactNode
  /** A second line, muted. */
  note?: string
  /** Makes the action one of several choices. One of them is chosen. */
  isChosen?: boolean
  look?: string
  onSelect?: () => void
  to?: string
  href?: string
}

/** What else a menu can have between its actions, such as a line. */
type MenuPart = { key: string; content: ReactNode }
export type MenuEntry = MenuAction | MenuPart

type MenuProps = {
  label: string
  /** The text in the button is its name for screen readers, so that the label is only its hint. */
  isNamed?: boolean
  className: string
  children: ReactNode
  head?: ReactNode
  actions: MenuEntry[]
  /** The edge of the button from which the menu extends over the screen. */
  from?: keyof typeof places
  /** The key that opens the menu in the focused row: see layouts/shortcuts.tsx. */
  shortcut?: 'edit'
  /** Runs before the menu opens, and when the user points at the button or focuses it. */
  onNear?: () => void
}

const places = {
  start: 'max-w-72 [position-area:block-end_span-inline-end]',
  end: 'max-w-72 [position-area:block-end_span-inline-start]',
  /** The end, but on a phone, the menu is as wide as the screen. */
  screen:
    '[position-area:block-end_span-inline-start] sm:max-w-80 max-sm:mx-4 max-sm:w-[calc(100%-2rem)] max-sm:[position-area:block-end_span-all]',
}

/** A button that opens a menu of actions. The menu starts with `head`. */
export function MenuButton(props: MenuProps) {
  const { label, shortcut, isNamed = false, className, children } = props
  const { head, actions, from = 'end', onNear } = props
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const isByKey = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const items = () =>
    [...menu.current!.querySelectorAll<HTMLElement>('[role^=menuitem]')].filter((item) =>
      item.checkVisibility(),
    )

  /** Focuses the button first, so that a dialog opened by the action returns the focus to it. */
  function choose({ onSelect }: MenuAction) {
    menu.current?.hidePopover()
    trigger.current?.focus()
    onSelect?.()
  }

  function openByArrow(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' || isOpen || isOfInputMethod(event.nativeEvent)) return
    event.preventDefault()
    trigger.current?.click()
  }

  function move(event: KeyboardEvent) {
    if (isOfInputMethod(event.nativeEvent)) return
    if (event.key === 'Tab') return menu.current?.hidePopover()
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const startsWithKey = ({ dataset }: HTMLElement) =>
      event.key.length === 1 && dataset['label']?.toLowerCase().startsWith(event.key.toLowerCase())
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
        aria-label={isNamed ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={label}
        data-shortcut={shortcut}
        onPointerEnter={onNear}
        onFocus={onNear}
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
        onBeforeToggle={({ newState }) => {
          if (newState !== 'open') return
          onNear?.()
          setOpen(true)
        }}
        onToggle={({ newState }) => {
          if (newState === 'closed') setOpen(false)
          else (isByKey.current ? items()[0] : menu.current)?.focus()
        }}
        onKeyDown={move}
        className={`inset-auto m-0 mt-1 min-w-56 animate-appear rounded-notice border border-line bg-raised p-1 text-start text-body font-normal text-ink shadow-over outline-none [position-try-fallbacks:flip-block] ${places[from]}`}
      >
        {isOpen && head && (
          <div className="mb-1 border-b border-line px-3 pt-2 pb-3 wrap-anywhere">{head}</div>
        )}
        {isOpen &&
          actions.map((action) =>
            'content' in action ? (
              <Fragment key={action.key}>{action.content}</Fragment>
            ) : (
              <Item key={action.key} action={action} onChoose={() => choose(action)} />
            ),
          )}
      </div>
    </>
  )
}

export function MenuLine() {
  return <hr className="my-1 border-line" />
}

function Item({ action, onChoose }: { action: MenuAction; onChoose: () => void }) {
  const { label, icon: Icon, picture, note, isChosen, look = '', to, href } = action
  const item = {
    role: isChosen === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': isChosen,
    tabIndex: -1,
    'data-label': label,
    onClick: onChoose,
    className: `flex min-h-9 w-full items-center gap-2.5 rounded-control px-3 py-1 text-start -outline-offset-2 hover:bg-tint focus:bg-tint max-fold:min-h-11 ${look}`,
    children: (
      <>
        {isChosen !== undefined && (
          <Check className={`size-4 shrink-0 text-accent ${isChosen ? '' : 'invisible'}`} />
        )}
        {picture ?? (Icon && <Icon className="size-4 shrink-0 text-soft" />)}
        <span className="min-w-0 wrap-anywhere">
          {label}
          {note && <span className="block text-label text-soft">{note}</span>}
        </span>
      </>
    ),
  }
  if (to) return <Link {...item} to={to} />
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the content is among its props
  if (href) return <a {...item} href={href} target="_blank" rel="noreferrer" />
  return <button {...item} type="button" />
}
