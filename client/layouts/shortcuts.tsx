import type { ScreenName } from '#contract/screens.ts'
import { useRef, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../components/button.tsx'
import { FormActions } from '../components/call-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Checkbox } from '../components/fields.tsx'
import { useKeydown } from '../components/use-keydown.ts'
import { createStore } from '../platform/create-store.ts'
import { useT } from '../platform/i18n.ts'
import { remember, remembered } from '../platform/storage.ts'
import { isApple, onApple, openPalette } from './palette/opening.ts'
import { useScreenLinks } from './use-screen-links.ts'

/** The letters that open a screen after `g`. */
const letters: Partial<Record<ScreenName, string>> = {
  dashboard: 'd',
  profile: 'p',
  subscription: 'h',
  users: 'u',
  billing: 'b',
  settings: 's',
  activity: 'a',
}
/** Milliseconds in which the letter follows `g`. */
const follows = 1500
const storageKey = 'shortcuts'
const rows = 'main :is(tbody > tr, ul > li):has(a, button)'

const isSheetOpen = createStore(false)
const areOn = createStore(remembered(storageKey) !== 'off')

/** In this browser. Single keys get in the way of people who speak to their computer. */
function switchShortcuts(isOn: boolean) {
  remember(storageKey, isOn ? 'on' : 'off')
  areOn.set(isOn)
}

export function openShortcuts() {
  isSheetOpen.set(true)
}

/** Keys that lead through the app while nothing is typed in and no dialog is open. */
export function Shortcuts() {
  const navigate = useNavigate()
  const links = useScreenLinks()
  const leads = useRef(-Infinity)
  const isOpen = isSheetOpen.use()

  useKeydown((event) => {
    const { key, ctrlKey, metaKey, altKey, defaultPrevented } = event
    if (ctrlKey || metaKey || altKey || defaultPrevented || !areOn.get() || isTaken()) return
    const afterG = event.timeStamp - leads.current < follows
    leads.current = key === 'g' && !afterG ? event.timeStamp : -Infinity
    const link = afterG && links.find(({ name }) => letters[name] === key)
    if (link) void navigate(link.to)
    else if (key === '?') openShortcuts()
    else if (key === '/') findHere()
    else if (key === 'j') move(1)
    else if (key === 'k') move(-1)
    else if (key === 'e') edit()
    else return
    event.preventDefault()
  })

  return isOpen && <Sheet screens={links} onClose={() => isSheetOpen.set(false)} />
}

/** Whether keys belong to a field, a menu or a dialog. */
function isTaken() {
  const { activeElement } = document
  return (
    document.querySelector('dialog[open], [popover]:popover-open') !== null ||
    activeElement?.matches('input:not([type=checkbox], [type=radio]), textarea, select, iframe')
  )
}

/** The search of the list on screen, or else the palette. */
function findHere() {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field) field.select()
  else openPalette()
}

function focusedRow() {
  return document.activeElement?.closest(rows) ?? undefined
}

function move(by: 1 | -1) {
  const all = [...document.querySelectorAll(rows)]
  const at = all.indexOf(focusedRow()!)
  const next = at < 0 ? all.at(by > 0 ? 0 : -1) : all[at + by]
  next?.querySelector<HTMLElement>('a, button, input')?.focus()
}

/** Opens what edits the focused row, or else what the screen shows. */
function edit() {
  const button = '[data-shortcut=edit]'
  const row = focusedRow()
  const found = row ? row.querySelector(button) : document.querySelector(`${button}:not(${rows} *)`)
  if (found instanceof HTMLElement) found.click()
}

type SheetProps = { screens: ReturnType<typeof useScreenLinks>; onClose: () => void }

function Sheet({ screens, onClose }: SheetProps) {
  const t = useT()
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <Dialog ref={dialog} title={t('shortcuts.title')} onClose={onClose}>
      <div className="grid gap-4">
        <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-2">
          <Shortcut keys={[isApple ? onApple : t('palette.keys')]}>{t('palette.title')}</Shortcut>
          <Shortcut keys={['/']}>{t('shortcuts.find')}</Shortcut>
          <Shortcut keys={['j']}>{t('shortcuts.next')}</Shortcut>
          <Shortcut keys={['k']}>{t('shortcuts.previous')}</Shortcut>
          <Shortcut keys={['e']}>{t('shortcuts.edit')}</Shortcut>
          {screens.map(({ name, title }) => {
            const letter = letters[name]
            return (
              letter && (
                <Shortcut key={name} keys={['g', letter]}>
                  {t(title)}
                </Shortcut>
              )
            )
          })}
          <Shortcut keys={['?']}>{t('shortcuts.title')}</Shortcut>
        </dl>
        <ShortcutSwitch />
        <FormActions>
          <Button size="large" onClick={() => dialog.current?.close()}>
            {t('shortcuts.close')}
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

function Shortcut({ keys, children }: { keys: string[]; children: ReactNode }) {
  return (
    <>
      <dt className="min-w-0 wrap-anywhere">{children}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <kbd
            key={key}
            className="grid min-w-6 place-items-center rounded-control border border-line-strong bg-sunken px-1.5 font-sans text-label"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </>
  )
}

/** Whether single keys are shortcuts in this browser. */
export function ShortcutSwitch() {
  const t = useT()
  const isOn = areOn.use()
  return (
    <Checkbox checked={isOn} onChange={({ target }) => switchShortcuts(target.checked)}>
      {t('shortcuts.switch')}
    </Checkbox>
  )
}
