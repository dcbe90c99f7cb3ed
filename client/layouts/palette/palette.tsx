import { Search } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { useModal } from '../../components/dialog.tsx'
import { Turning } from '../../components/spinner.tsx'
import { isOfInputMethod, useKeydown } from '../../components/use-keydown.ts'
import { useT } from '../../platform/i18n.ts'
import { rememberId } from '../../platform/recent.ts'
import type { Command } from './command.ts'
import { closePalette, isApple, onApple, opening, openPalette } from './opening.ts'
import { recentCommands, useCommands } from './use-commands.ts'

const mostRecent = 4
const titleLook = 'px-3 pt-2 pb-1 text-label font-strong text-faint wrap-anywhere'
const optionLook =
  'flex min-h-10 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 aria-selected:bg-accent-soft aria-selected:text-accent-ink forced-colors:aria-selected:border'

function scrollTo(option: HTMLElement | null) {
  option?.scrollIntoView({ block: 'nearest' })
}

/** The button of the command palette. Ctrl-K opens it too, unless a dialog is open. */
export function PaletteButton() {
  const t = useT()
  const opened = opening.use()
  useEffect(() => closePalette, [])

  useKeydown((event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, key } = event
    if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== 'k') return
    event.preventDefault()
    openPalette()
  })

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={t('palette.title')}
        onClick={openPalette}
        className="touch-target relative flex h-9 items-center gap-2 rounded-control px-2 text-soft transition-colors hover:text-ink max-sm:hover:bg-tint sm:border sm:border-line sm:bg-sunken sm:px-3 sm:hover:border-line-strong"
      >
        <Search className="size-4.5 sm:size-4" />
        <span className="max-sm:sr-only">{t('palette.open')}</span>
        <kbd
          aria-hidden
          className="ms-4 rounded-control border border-line-strong bg-surface px-1.5 font-sans text-label text-faint max-sm:hidden"
        >
          {isApple ? onApple : t('palette.keys')}
        </kbd>
      </button>
      {opened > 0 && <Palette key={opened} onClose={closePalette} />}
    </>
  )
}

// oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- HTML has no list whose keys a text field handles
/** Finds screens, actions, people and projects by a few letters. The field always keeps the focus. */
function Palette({ onClose }: { onClose: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState<string>()
  const { groups, isSearching } = useCommands(typed.trim())
  const options = groups.flatMap(({ commands }) => commands)
  const chosen = options.find(({ id }) => id === active) ?? options[0]
  useModal(dialog)

  function choose({ id, does }: Command) {
    rememberId(recentCommands, id, mostRecent)
    // Closing returns the focus, and the command may then move it elsewhere.
    dialog.current?.close()
    void (typeof does === 'string' ? navigate(does) : does())
  }

  function press(event: KeyboardEvent) {
    if (isOfInputMethod(event.nativeEvent) || !chosen) return
    const at = options.indexOf(chosen)
    const to: Record<string, Command | undefined> = {
      ArrowDown: options[at + 1] ?? options[0],
      ArrowUp: options.at(at - 1),
      Home: options[0],
      End: options.at(-1),
    }
    if (event.key === 'Enter') choose(chosen)
    else if (event.key in to) setActive(to[event.key]?.id)
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={dialog}
      aria-label={t('palette.title')}
      closedby="any"
      onClose={onClose}
      className="mx-auto mt-[min(6rem,10dvh)] w-[calc(100%-2rem)] max-w-form animate-appear overflow-hidden rounded-card border border-line bg-raised text-ink shadow-over backdrop:bg-veil"
    >
      <div className="relative border-b border-line">
        <Search className="pointer-events-none absolute start-4 top-1/2 size-4.5 -translate-y-1/2 text-faint" />
        <input
          role="combobox"
          aria-label={t('palette.placeholder')}
          aria-expanded
          aria-autocomplete="list"
          aria-controls="palette"
          aria-activedescendant={chosen && `palette-${chosen.id}`}
          placeholder={t('palette.placeholder')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setActive(undefined)
          }}
          onKeyDown={press}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="h-13 w-full bg-transparent ps-12 pe-12 text-card font-normal! outline-none placeholder:text-faint"
        />
        {isSearching && <Turning className="absolute end-4 top-1/2 -mt-2 size-4 text-faint" />}
      </div>
      <p aria-live="polite" className="sr-only">
        {!isSearching && t('palette.found', { count: options.length })}
      </p>
      <div
        id="palette"
        role="listbox"
        aria-label={t('palette.title')}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2"
      >
        {groups.map(({ title, commands }) => (
          <div key={title} role="group" aria-label={title} className="mb-1">
            <p role="presentation" className={titleLook}>
              {title}
            </p>
            {commands.map((command) => (
              <div
                key={command.id}
                ref={command === chosen ? scrollTo : undefined}
                id={`palette-${command.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={command === chosen}
                onPointerMove={() => setActive(command.id)}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(command)}
                className={optionLook}
              >
                <command.icon strokeWidth={1.75} className="size-4.5 shrink-0 text-soft" />
                <span className="min-w-0 flex-1 font-medium wrap-anywhere">{command.label}</span>
                {command.hint && (
                  <span
                    dir="auto"
                    className="max-w-[55%] truncate text-small text-soft"
                    title={command.hint}
                  >
                    {command.hint}
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && !isSearching && (
        <p className="px-5 pb-8 text-center text-soft">{t('palette.none', { typed })}</p>
      )}
    </dialog>
  )
}
