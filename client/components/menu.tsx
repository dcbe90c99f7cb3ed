import { DropdownMenu } from 'radix-ui'
import { useRef, type FocusEvent } from 'react'
import type { MenuAction, MenuProps } from './menu-button.tsx'

/** Open from the start, and then `atFirst` of its actions. An action starts when the menu is gone, so that a dialog it opens can give the focus back. */
export function Menu({
  label,
  className,
  children,
  head,
  actions,
  atFirst,
}: MenuProps & { atFirst: boolean }) {
  const trigger = useRef<HTMLButtonElement>(null)
  const chosen = useRef<MenuAction>(undefined)
  const isNew = useRef(true)

  function start(event: Event) {
    if (!chosen.current) return
    event.preventDefault()
    trigger.current?.focus()
    chosen.current.onSelect()
    chosen.current = undefined
  }

  /** It was not there yet to hear the key that opened it. */
  function enter({ target, currentTarget }: FocusEvent<HTMLElement>) {
    if (!isNew.current || target !== currentTarget) return
    isNew.current = false
    if (atFirst) currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }

  return (
    <DropdownMenu.Root defaultOpen modal={false} dir={document.dir === 'rtl' ? 'rtl' : 'ltr'}>
      <DropdownMenu.Trigger ref={trigger} aria-label={label} title={label} className={className}>
        {children}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.getElementById('main')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={start}
          onFocus={enter}
          className="z-30 max-w-60 min-w-52 animate-appear rounded-notice border border-line bg-surface p-1 shadow-over"
        >
          {head && (
            <>
              <div className="px-3 py-2 wrap-anywhere">{head}</div>
              <DropdownMenu.Separator className="m-1 h-px bg-line" />
            </>
          )}
          {actions.map((action) => (
            <DropdownMenu.Item
              key={action.key}
              onSelect={() => (chosen.current = action)}
              className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-3 -outline-offset-2 data-highlighted:bg-sunken max-fold:min-h-11"
            >
              <action.icon aria-hidden className="size-4 shrink-0 text-soft" />
              {action.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
