import { Ellipsis, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'

export type MenuAction = { key: string; label: string; icon: LucideIcon; onSelect: () => void }

/** What can be done with one of many, behind one button. An action starts when the menu is gone, so that a dialog it opens can give the focus back. */
export function ActionMenu({ label, actions }: { label: string; actions: MenuAction[] }) {
  const trigger = useRef<HTMLButtonElement>(null)
  const chosen = useRef<MenuAction>(undefined)

  function start(event: Event) {
    if (!chosen.current) return
    event.preventDefault()
    trigger.current?.focus()
    chosen.current.onSelect()
    chosen.current = undefined
  }

  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        ref={trigger}
        aria-label={label}
        title={label}
        className="grid size-9 place-items-center rounded-control text-soft transition-colors hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken data-[state=open]:text-ink max-fold:size-10"
      >
        <Ellipsis aria-hidden className="size-4.5" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={start}
          className="z-30 min-w-52 animate-appear rounded-notice border border-line bg-surface p-1 shadow-over"
        >
          {actions.map((action) => (
            <DropdownMenu.Item
              key={action.key}
              onSelect={() => (chosen.current = action)}
              className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-3 outline-none data-highlighted:bg-sunken max-fold:min-h-11"
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
