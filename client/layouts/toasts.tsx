import { limits } from '#config/limits.ts'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, type FocusEvent } from 'react'
import { Button, TextLink } from '../components/button.tsx'
import { classes } from '../components/classes.ts'
import { DismissButton } from '../components/dismiss-button.tsx'
import { useKeydown } from '../components/use-keydown.ts'
import { useT } from '../platform/i18n.ts'
import { dismissToast, forgetToasts, useToasts, type Toast } from '../platform/toasts.ts'

/** Milliseconds until a toast checks again whether the pointer or the focus is on any toast. */
const again = 2000
/** Milliseconds without a change of the page, after which the toasts look for their place again. */
const settled = 100
/** The pixels between the toasts and what is below them. */
const gap = 8
/** What can be pressed, and bars that stick to an edge. */
const pressable = 'main :is(a, button, input, select, textarea, iframe, .sticky)'

/** Escape dismisses the newest toast, anywhere. */
export function Toasts() {
  const t = useT()
  const toasts = useToasts()
  const region = useRef<HTMLElement>(null)
  const focusedBefore = useRef<HTMLElement>(undefined)
  useEffect(() => forgetToasts, [])
  useLayoutEffect(() => (toasts.length > 0 ? keepClear(region.current!) : undefined), [toasts])

  useKeydown((event) => {
    const newest = toasts.at(-1)
    const isOurs = event.key === 'Escape' && !event.defaultPrevented
    if (newest && isOurs && !document.querySelector('dialog[open]')) dismiss(newest)
  })

  function dismiss({ id }: Toast) {
    const hadFocus = region.current!.contains(document.activeElement)
    dismissToast(id)
    if (!hadFocus) return
    const before = focusedBefore.current
    const next = before?.isConnected ? before : document.getElementById('main')
    next?.focus({ preventScroll: true })
  }

  function enter({ relatedTarget, currentTarget }: FocusEvent) {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      focusedBefore.current = relatedTarget
  }

  return (
    <section
      ref={region}
      aria-label={t('toasts.title')}
      className="pointer-events-none fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-30 mx-auto sm:w-90 lg:start-68"
    >
      <div aria-live="polite" onFocus={enter} className="grid gap-2">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onDismiss={() => dismiss(toast)} />
        ))}
      </div>
    </section>
  )
}

/** Keeps the toasts where they cover nothing that can be pressed. Returns a function that stops it. */
function keepClear(region: HTMLElement) {
  let timer: ReturnType<typeof setTimeout>
  const stopped = new AbortController()
  const changes = new MutationObserver(wait)
  changes.observe(document.body, { childList: true, characterData: true, subtree: true })
  const { signal } = stopped
  for (const event of ['scroll', 'resize']) addEventListener(event, wait, { signal, passive: true })
  place(region)

  function wait() {
    clearTimeout(timer)
    timer = setTimeout(() => (isHeld(region) ? wait() : place(region)), settled)
  }

  return () => {
    stopped.abort()
    changes.disconnect()
    clearTimeout(timer)
  }
}

/** Moves the toasts to the lowest of the places where they cover the least. */
function place(region: HTMLElement) {
  region.style.bottom = ''
  const { top, bottom: lowest, left, right } = region.getBoundingClientRect()
  const height = lowest - top
  const around = Array.from(document.querySelectorAll(pressable), (each) =>
    each.getBoundingClientRect(),
  )
  const covered = (bottom: number) =>
    around.reduce((area, each) => {
      const width = Math.min(each.right, right) - Math.max(each.left, left)
      const rows = Math.min(each.bottom, bottom) - Math.max(each.top, bottom - height)
      return width > 0 && rows > 0 ? area + width * rows : area
    }, 0)
  const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const [best = lowest] = [lowest, ...around.map((each) => each.top - gap)]
    .filter((bottom) => bottom <= lowest && bottom - height > bar)
    .toSorted((one, other) => covered(one) - covered(other) || other - one)
  region.style.bottom = `${innerHeight - best}px`
}

/** Toasts stay, and stay in their place, while the pointer or the focus is on one. */
function isHeld(region: Element) {
  return region.matches(':hover, :focus-within')
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const { id, text, failed, action } = toast
  const card = useRef<HTMLDivElement>(null)
  const onSelect = action && 'onSelect' in action ? action.onSelect : undefined
  const lasts = onSelect ? limits.screens.undo : limits.screens.toast
  useEffect(() => {
    let timer = setTimeout(go, lasts)
    function go() {
      if (isHeld(card.current!.closest('section')!)) timer = setTimeout(go, again)
      else dismissToast(id)
    }
    return () => clearTimeout(timer)
  }, [id, lasts])
  const Icon = failed === undefined ? CircleCheck : CircleAlert
  return (
    <div
      ref={card}
      className="pointer-events-auto flex animate-appear items-center gap-3 rounded-notice border border-line-strong bg-raised py-2 ps-4 pe-2 shadow-over"
    >
      <Icon
        className={classes('size-4.5 shrink-0', failed === undefined ? 'text-good' : 'text-bad')}
      />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {failed !== undefined && <p className="font-semibold">{failed}</p>}
        <p className={failed === undefined ? 'font-medium' : 'text-small'}>{text}</p>
      </div>
      {action && 'to' in action && (
        <TextLink to={action.to} onClick={onDismiss}>
          {action.label}
        </TextLink>
      )}
      {onSelect && (
        <Button
          variant="quiet"
          onClick={() => {
            onDismiss()
            onSelect()
          }}
        >
          {action?.label}
        </Button>
      )}
      <DismissButton onDismiss={onDismiss} />
    </div>
  )
}
