import type { CallName } from '#contract/calls.ts'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../api/session.ts'
import { useT } from '../platform/i18n.ts'
import { payerDrafts } from '../platform/storage.ts'
import { Button } from './button.tsx'
import type { FormDraftProps } from './form-parts.ts'
import { LiveRegion, Message } from './message.tsx'

/**
 * Matches fields to type, choose or tick, but no passwords, cards, codes or fields marked
 * `data-secret`.
 */
const draftField =
  ':is(textarea, select, input:not([type]), input:is([type=text], [type=email], [type=tel], [type=url], [type=number], [type=checkbox]))' +
  ':not([autocomplete^=cc-], [autocomplete*=password], [autocomplete=one-time-code], [data-secret])[name]'

/** Forms that ask for a payer's name, address and phone. */
const payerForms: readonly string[] = [
  'createSubscription',
  'changeSubscriptionPlan',
  'updateBillingDetails',
] satisfies CallName[]

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What the user typed into the fields of a form, by `keyOf`. */
type Draft = Record<string, string>

/**
 * Keeps what the user types, for this tab, until it is saved, given up or discarded. Restores it
 * when the same user opens the form again. Skips forms in dialogs, which are short.
 */
export function FormDraft({ form: ref, name, isDone, isOver }: FormDraftProps) {
  const t = useT()
  const { uid } = useSession().user
  const { pathname, search } = useLocation()
  const [isBack, setBack] = useState(false)
  const first = useRef<Draft>(undefined)
  const form = `${pathname}${search} ${name}`
  const key = payerForms.includes(name) ? payerDrafts : drafts

  useEffect(() => {
    const element = ref.current!
    if (element.closest('dialog')) return
    first.current ??= valuesOf(element)
    const keep = () => {
      isOver.current = false
      keepDraft(key, uid, form, changesIn(element, first.current!))
    }
    element.addEventListener('input', keep)
    // React handles events of the fields only after the effects have run.
    const timer = setTimeout(() => {
      const draft = draftsOf(key, uid)[form]
      if (!draft) return
      fillIn(element, draft)
      setBack(true)
    })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('input', keep)
      if (isOver.current) keepDraft(key, uid, form, {})
    }
  }, [ref, key, uid, form, isOver])

  useEffect(() => {
    if (!isDone) return
    first.current = valuesOf(ref.current!)
    keepDraft(key, uid, form, {})
  }, [ref, key, uid, form, isDone])

  function discard() {
    setBack(false)
    // Inside this handler React would keep all ticks for later, and the last would undo the others.
    queueMicrotask(() => fillIn(ref.current!, first.current!))
    ref.current!.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus()
  }

  return (
    <LiveRegion>
      {isBack && !isDone && (
        <Message tone="neutral" action={<Button onClick={discard}>{t('drafts.discard')}</Button>}>
          {t('drafts.back')}
        </Message>
      )}
    </LiveRegion>
  )
}

function fieldsOf(form: HTMLFormElement) {
  return [...form.querySelectorAll<Field>(draftField)]
}

function valuesOf(form: HTMLFormElement): Draft {
  return Object.fromEntries(fieldsOf(form).map((field) => [keyOf(field), valueOf(field)]))
}

/** Several checkboxes can have one name. */
function keyOf(field: Field) {
  return isBox(field) ? `${field.name} ${field.value}` : field.name
}

function valueOf(field: Field) {
  return isBox(field) ? String(field.checked) : field.value
}

function isBox(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox'
}

function changesIn(form: HTMLFormElement, before: Draft): Draft {
  const changed = Object.entries(valuesOf(form)).filter(([name, text]) => text !== before[name])
  return Object.fromEntries(changed)
}

/** Enters the draft as if the user typed. Setting `value` alone would hide it from React. */
function fillIn(form: HTMLFormElement, draft: Draft) {
  for (const field of fieldsOf(form)) {
    const text = draft[keyOf(field)]
    if (text === undefined || text === valueOf(field)) continue
    if (isBox(field)) {
      field.click()
      continue
    }
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, text)
    // React listens for `change` on a select.
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  }
}

const drafts = 'drafts'

/** Replaces the user's draft of the form. One without fields is none. */
function keepDraft(key: string, uid: string, form: string, draft: Draft) {
  const { [form]: _, ...others } = draftsOf(key, uid)
  write(key, uid, Object.keys(draft).length > 0 ? { ...others, [form]: draft } : others)
}

/** Removes the drafts of everybody but this user. Without `uid`, removes all drafts. */
export function forgetDrafts(uid = '') {
  for (const key of [drafts, payerDrafts]) write(key, uid, draftsOf(key, uid))
}

function draftsOf(key: string, uid: string): Record<string, Draft> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    return kept.uid === uid ? kept.forms : {}
  } catch {
    return {}
  }
}

function write(key: string, uid: string, forms: Record<string, Draft>) {
  try {
    if (Object.keys(forms).length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify({ uid, forms }))
  } catch {
    // If the browser blocks storage, drafts are not kept.
  }
}
