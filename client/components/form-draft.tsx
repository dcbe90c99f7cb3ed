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
  ':is(textarea, select, input:not([type]), input[data-default], input:is([type=text], [type=email], [type=tel], [type=url], [type=number], [type=checkbox]))' +
  ':not([autocomplete^=cc-], [autocomplete*=password], [autocomplete=one-time-code], [data-secret])[name]'

/** Forms that ask for a payer's name, address and phone. */
const payerForms: readonly string[] = [
  'createSubscription',
  'changeSubscriptionPlan',
  'updateBillingDetails',
] satisfies CallName[]

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Texts of the fields of a form, by `keyOf`. */
type Draft = Record<string, string>

/**
 * Keeps what the user types, for this tab, until it is saved, given up or discarded. Restores it
 * when the same user opens the form again. Skips forms in dialogs, which are short.
 */
export function FormDraft({ form: ref, name, isBusy, isDone, isOver, changedBy }: FormDraftProps) {
  const t = useT()
  const { uid } = useSession().user
  const { pathname, search } = useLocation()
  const [isBack, setBack] = useState(false)
  const [elsewhere, setElsewhere] = useState<Change[]>([])
  const first = useRef<Draft>(undefined)
  const saved = useRef<Draft>(undefined)
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
    setElsewhere([])
    keepDraft(key, uid, form, {})
  }, [ref, key, uid, form, isDone])

  // What was saved elsewhere replaces what the user has not touched. After each drawing, because
  // the fields have the newest values as their defaults.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- one drawing finds each change once
  useEffect(() => {
    const element = ref.current!
    if (isBusy || element.closest('dialog')) return
    const before = saved.current
    const now = (saved.current = savedIn(element))
    if (!before) return
    const changed = fieldsOf(element).filter((field) => {
      const next = now[keyOf(field)]
      return next !== before[keyOf(field)] && next !== valueOf(field)
    })
    if (changed.length === 0) return
    const [touched, untouched] = [true, false].map((is) =>
      changed.filter((field) => (!isDone && valueOf(field) !== before[keyOf(field)]) === is),
    )
    const followed = pick(now, untouched!)
    Object.assign(first.current!, followed)
    fillIn(element, followed)
    const told = touched!.map((field) => changeOf(field, now[keyOf(field)]!))
    if (told.length > 0)
      setElsewhere((known) => [
        ...known.filter(({ key }) => told.every((each) => each.key !== key)),
        ...told,
      ])
  })

  function discard() {
    setBack(false)
    fillInLater(first.current!)
  }

  function takeOver() {
    setElsewhere([])
    const taken = Object.fromEntries(elsewhere.map(({ key, text }) => [key, text]))
    Object.assign(first.current!, taken)
    fillInLater(taken)
  }

  function fillInLater(draft: Draft) {
    // Inside this handler React would keep all ticks for later, and the last would undo the others.
    queueMicrotask(() => fillIn(ref.current!, draft))
    ref.current!.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus()
  }

  return (
    <LiveRegion>
      {isBack && !isDone && (
        <Message tone="neutral" action={<Button onClick={discard}>{t('drafts.discard')}</Button>}>
          {t('drafts.back')}
        </Message>
      )}
      {elsewhere.length > 0 && !isDone && (
        <Message
          tone="warn"
          title={changedBy ? t('drafts.changedBy', { name: changedBy }) : t('drafts.changed')}
          action={<Button onClick={takeOver}>{t('drafts.takeOver')}</Button>}
        >
          {elsewhere.map(({ key, label, words }) => (
            <span key={key}>{t('drafts.changedTo', { field: label, value: words })} </span>
          ))}
          {t('drafts.yoursReplaces')}
        </Message>
      )}
    </LiveRegion>
  )
}

/** What somebody else saved in a field that the user has changed too. */
type Change = { key: string; text: string; label: string; words: string }

function changeOf(field: Field, text: string): Change {
  const label = isBox(field)
    ? field.closest('label')
    : field.closest(':has(> label)')?.querySelector('label')?.firstChild
  const option =
    field instanceof HTMLSelectElement && field.querySelector(`[value="${CSS.escape(text)}"]`)
  const words = isBox(field) ? (text === 'true' ? '✓' : '') : option ? option.textContent : text
  return { key: keyOf(field), text, label: label?.textContent ?? '', words: words || '—' }
}

/** The values that the fields were drawn with, which are those that were last saved. */
function savedIn(form: HTMLFormElement): Draft {
  return Object.fromEntries(fieldsOf(form).map((field) => [keyOf(field), savedValueOf(field)]))
}

function savedValueOf(field: Field) {
  if (field.dataset['default'] !== undefined) return field.dataset['default']
  if (field instanceof HTMLSelectElement) return field.value
  return isBox(field) ? String(field.defaultChecked) : field.defaultValue
}

function pick(draft: Draft, fields: Field[]): Draft {
  return Object.fromEntries(fields.map((field) => [keyOf(field), draft[keyOf(field)]!]))
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

/** Enters the draft as if the user typed. */
function fillIn(form: HTMLFormElement, draft: Draft) {
  for (const field of fieldsOf(form)) {
    const text = draft[keyOf(field)]
    if (text === undefined || text === valueOf(field)) continue
    if (isBox(field)) field.click()
    else typeIn(field, text)
  }
}

/** Replaces a field's text as if the user typed. Setting `value` alone would hide it from React. */
export function typeIn(field: Field, text: string) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, text)
  // React listens for `change` on a select.
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
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
