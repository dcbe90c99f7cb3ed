import { useEffect, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { session, useSession } from '../api/session.ts'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { LiveRegion, Message } from './message.tsx'

/** Selects text fields, but no passwords, cards, codes or fields marked `data-secret`. */
const textField =
  ':is(textarea, input:not([type]), input:is([type=text], [type=email], [type=tel], [type=url], [type=number]))' +
  ':not([autocomplete^=cc-], [autocomplete*=password], [autocomplete=one-time-code], [data-secret])[name]'

/** What the user typed into the text fields of a form, by field name. */
type Draft = Record<string, string>

type FormDraftProps = { form: RefObject<HTMLFormElement | null>; name: string; isDone: boolean }

/**
 * Keeps what the user has typed when the session ends, and restores it when the same user returns.
 * Skips forms in dialogs, because dialogs don't open again by themselves.
 */
export function FormDraft({ form: ref, name, isDone }: FormDraftProps) {
  const t = useT()
  const { user } = useSession()
  const { pathname, search } = useLocation()
  const [isBack, setBack] = useState(false)
  const first = useRef<Draft>(undefined)
  const form = `${pathname}${search} ${name}`

  useEffect(() => {
    const element = ref.current!
    if (element.closest('dialog')) return
    first.current ??= valuesOf(element)
    // React handles events of the fields only after the effects have run.
    const timer = setTimeout(() => {
      const draft = takeDraft(user.uid, form)
      if (!draft) return
      fillIn(element, draft)
      setBack(true)
    })
    return () => clearTimeout(timer)
  }, [ref, user.uid, form])

  useEffect(() => {
    const element = ref.current!
    if (isDone) first.current = valuesOf(element)
    return session.subscribe(() => {
      const now = session.get()
      const before = first.current
      if (now.status !== 'signedOut' || now.because !== 'ended' || !before) return
      const typed = Object.entries(valuesOf(element)).filter(([key, text]) => text !== before[key])
      if (typed.length === 0) return
      write(user.uid, { ...draftsOf(user.uid), [form]: Object.fromEntries(typed) })
    })
  }, [ref, user.uid, form, isDone])

  function clear() {
    fillIn(ref.current!, first.current!)
    setBack(false)
    ref.current!.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus()
  }

  return (
    <LiveRegion>
      {isBack && !isDone && (
        <Message tone="neutral" action={<Button onClick={clear}>{t('drafts.clear')}</Button>}>
          {t('drafts.back')}
        </Message>
      )}
    </LiveRegion>
  )
}

function textFieldsOf(form: HTMLFormElement) {
  return [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(textField)]
}

function valuesOf(form: HTMLFormElement): Draft {
  return Object.fromEntries(textFieldsOf(form).map(({ name, value }) => [name, value]))
}

/** Enters the draft as if the user typed. Setting `value` alone would hide it from React. */
function fillIn(form: HTMLFormElement, draft: Draft) {
  for (const field of textFieldsOf(form)) {
    const text = draft[field.name]
    if (text === undefined || text === field.value) continue
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

const storageKey = 'drafts'

/** Returns what the same user had typed into the form, and removes it from storage. */
function takeDraft(uid: string, form: string): Draft | undefined {
  const { [form]: draft, ...others } = draftsOf(uid)
  if (draft) write(uid, others)
  return draft
}

/** Removes the drafts of everybody but this user. Without `uid`, removes all drafts. */
export function forgetDrafts(uid = '') {
  write(uid, draftsOf(uid))
}

function draftsOf(uid: string): Record<string, Draft> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return kept.uid === uid ? kept.forms : {}
  } catch {
    return {}
  }
}

function write(uid: string, forms: Record<string, Draft>) {
  try {
    if (Object.keys(forms).length === 0) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify({ uid, forms }))
  } catch {
    // If the browser blocks storage, drafts are not kept.
  }
}
