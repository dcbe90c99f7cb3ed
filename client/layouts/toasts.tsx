import { limits } from '#config/limits.ts'
import { CircleCheck, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type FocusEvent } from 'react'
import { Button } from '../components/button.tsx'
import { TextLink } from '../components/text-link.tsx'
import { useT } from '../i18n.ts'
import { dismissToast, forgetToasts, useToasts, type Toast } from '../toasts.ts'

/**
 * What has worked, in the corner. Each goes by itself, but not while the pointer or the focus is on them; Escape puts the newest away from
 * wherever the focus is.
 */
export function Toasts() {
  const t = useT()
  const toasts = useToasts()
  const [isUnderPointer, setUnderPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const region = useRef<HTMLElement>(null)
  const before = useRef<HTMLElement>(undefined)
  useEffect(() => forgetToasts, [])

  const putAwayNewest = useEffectEvent((event: KeyboardEvent) => {
    const newest = toasts.at(-1)
    if (
      newest &&
      event.key === 'Escape' &&
      !event.defaultPrevented &&
      !document.querySelector('dialog[open]')
    )
      putAway(newest)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => putAwayNewest(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])

  /** What is gone can't say that the pointer or the focus has left it. */
  function putAway({ id }: Toast) {
    const hadFocus = region.current!.contains(document.activeElement)
    dismissToast(id)
    setUnderPointer(false)
    if (!hadFocus) return
    setFocus(false)
    const next = before.current?.isConnected ? before.current : document.getElementById('main')
    next?.focus({ preventScroll: true })
  }

  function enter({ relatedTarget, currentTarget }: FocusEvent) {
    setFocus(true)
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      before.current = relatedTarget
  }

  return (
    <section
      ref={region}
      aria-label={t('toasts.title')}
      className="pointer-events-none fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-30 sm:start-auto sm:end-5 sm:w-90"
    >
      <div
        aria-live="polite"
        className="grid gap-2"
        onPointerEnter={() => setUnderPointer(true)}
        onPointerLeave={() => setUnderPointer(false)}
        onFocus={enter}
        onBlur={() => setFocus(false)}
      >
        {toasts.map((toast) => (
          <ToastCard
            key={toast.id}
            toast={toast}
            isHeld={isUnderPointer || hasFocus}
            onPutAway={() => putAway(toast)}
          />
        ))}
      </div>
    </section>
  )
}

function ToastCard({
  toast: { id, text, link },
  isHeld,
  onPutAway,
}: {
  toast: Toast
  isHeld: boolean
  onPutAway: () => void
}) {
  const t = useT()
  const left = useRef<number>(limits.screens.toast)
  useEffect(() => {
    if (isHeld) return
    const began = Date.now()
    const timer = setTimeout(() => dismissToast(id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - began
    }
  }, [id, isHeld])
  return (
    <div className="pointer-events-auto flex animate-appear items-center gap-3 rounded-notice border border-line-strong bg-surface py-2 ps-4 pe-2 shadow-over">
      <CircleCheck aria-hidden className="size-4.5 shrink-0 text-good" />
      <p className="min-w-0 flex-1 font-medium wrap-anywhere">{text}</p>
      {link && (
        <TextLink to={link.to} onClick={onPutAway}>
          {link.label}
        </TextLink>
      )}
      <Button
        variant="quiet"
        size="icon"
        aria-label={t('live.dismiss')}
        title={t('live.dismiss')}
        onClick={onPutAway}
        icon={<X aria-hidden />}
      />
    </div>
  )
}
