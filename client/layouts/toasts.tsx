import { limits } from '#config/limits.ts'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useRef, type FocusEvent } from 'react'
import { TextLink } from '../components/button.tsx'
import { classes } from '../components/classes.ts'
import { DismissButton } from '../components/dismiss-button.tsx'
import { useKeydown } from '../components/use-keydown.ts'
import { useT } from '../platform/i18n.ts'
import { dismissToast, forgetToasts, useToasts, type Toast } from '../platform/toasts.ts'

/** Milliseconds until a toast checks again whether the pointer or the focus is on any toast. */
const again = 2000

/** Toasts stay while the pointer or the focus is on one. Escape dismisses the newest, anywhere. */
export function Toasts() {
  const t = useT()
  const toasts = useToasts()
  const region = useRef<HTMLElement>(null)
  const focusedBefore = useRef<HTMLElement>(undefined)
  useEffect(() => forgetToasts, [])

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
      className="pointer-events-none fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-30 sm:start-auto sm:end-5 sm:w-90"
    >
      <div aria-live="polite" onFocus={enter} className="grid gap-2">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onDismiss={() => dismiss(toast)} />
        ))}
      </div>
    </section>
  )
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const { id, text, failed, link } = toast
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer = setTimeout(go, limits.screens.toast)
    function go() {
      const isHeld = card.current!.closest('section')!.matches(':hover, :focus-within')
      if (isHeld) timer = setTimeout(go, again)
      else dismissToast(id)
    }
    return () => clearTimeout(timer)
  }, [id])
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
      {link && (
        <TextLink to={link.to} onClick={onDismiss}>
          {link.label}
        </TextLink>
      )}
      <DismissButton onDismiss={onDismiss} />
    </div>
  )
}
