import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../api/session.ts'
import { useT } from '../platform/i18n.ts'
import { draftStores, storageOf } from '../platform/storage.ts'
import { Button } from './button.tsx'
import { LiveRegion, Message } from './message.tsx'

const fields = ':is(input, select, textarea)[name]'
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Texts of the fields of a form, by `keyOf`. */
type Draft = Record<string, string>

type FormDraftProps = {
  /** The form asks for a payer's name, address and phone. */
  ofPayer?: boolean
  /** The id of the project that the form invites people to. All tabs have this draft. */
  ofPeople?: string
  /** The name of who last changed elsewhere what the form shows; null if nobody knows. */
  changedBy?: string | null
}

/**
 * Stands in a long form. Keeps what the user types, for this tab or for all, until it is saved, given up or
 * discarded, and restores it when the same user opens the form again.
 */
export function FormDraft({ ofPayer = false, ofPeople, changedBy = null }: FormDraftProps) {
  const t = useT()
  const { uid } = useSession().user
  const { pathname, search } = useLocation()
  const place = useRef<HTMLDivElement>(null)
  const first = useRef<Draft>(undefined)
  const saved = useRef<Draft>(undefined)
  const [isBack, setBack] = useState(false)
  const [elsewhere, setElsewhere] = useState<Record<string, Change>>({})
  const others = ofPayer ? draftStores.ofPayers : draftStores.others
  const store = ofPeople === undefined ? others : draftStores.ofPeople
  // Another price, in the query, is for the same payer.
  const name = ofPeople ?? (ofPayer ? pathname : pathname + search)

  useEffect(() => {
    const form = place.current!.closest('form')!
    first.current ??= textsOf(form)
    function keep() {
      const changed = Object.entries(textsOf(form)).filter(
        ([key, text]) => text !== first.current![key],
      )
      const { [name]: _, ...others } = draftsOf(store, uid)
      const own = changed.length > 0 && { [name]: Object.fromEntries(changed) }
      write(store, uid, { ...others, ...own })
    }
    function end() {
      first.current = textsOf(form)
      setBack(false)
      setElsewhere({})
      keep()
    }
    form.addEventListener('input', keep)
    form.addEventListener('over', end)
    // React handles events of the fields only after the effects have run.
    const timer = setTimeout(() => {
      const draft = draftsOf(store, uid)[name]
      if (!draft) return
      fillIn(form, draft)
      setBack(true)
    })
    return () => {
      clearTimeout(timer)
      form.removeEventListener('input', keep)
      form.removeEventListener('over', end)
    }
  }, [store, uid, name])

  // What was saved elsewhere replaces what the user has not touched. After each drawing, because
  // the fields have the newest values as their defaults.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- one drawing finds each change once
  useEffect(() => {
    const form = place.current!.closest('form')!
    const before = saved.current
    saved.current = textsOf(form, savedTextOf)
    if (!before) return
    const told: Record<string, Change> = {}
    for (const field of fieldsOf(form)) {
      const key = keyOf(field)
      const text = saved.current[key]!
      if (text === before[key] || text === textOf(field)) continue
      if (textOf(field) === first.current![key]) fillIn(form, follow({ [key]: text }))
      else told[key] = changeOf(field, text)
    }
    if (Object.keys(told).length > 0) setElsewhere((known) => ({ ...known, ...told }))
  })

  function follow(draft: Draft) {
    Object.assign(first.current!, draft)
    return draft
  }

  function discard() {
    setBack(false)
    fillInLater(first.current!)
  }

  function takeOver() {
    setElsewhere({})
    const taken = Object.entries(elsewhere).map(([key, { text }]) => [key, text] as const)
    fillInLater(follow(Object.fromEntries(taken)))
  }

  function fillInLater(draft: Draft) {
    const form = place.current!.closest('form')!
    // Inside this handler React would keep all ticks for later, and the last would undo the others.
    queueMicrotask(() => fillIn(form, draft))
    form.querySelector<HTMLElement>(`${fields}:not([type=hidden])`)?.focus()
  }

  const changes = Object.entries(elsewhere)
  return (
    <LiveRegion ref={place}>
      {isBack && (
        <Message tone="neutral" action={<Button onClick={discard}>{t('drafts.discard')}</Button>}>
          {t('drafts.back')}
        </Message>
      )}
      {changes.length > 0 && (
        <Message
          tone="warn"
          title={changedBy ? t('drafts.changedBy', { name: changedBy }) : t('drafts.changed')}
          action={<Button onClick={takeOver}>{t('drafts.takeOver')}</Button>}
        >
          {changes.map(([key, { label, words }]) => (
            <span key={key}>{t('drafts.changedTo', { field: label, value: words })} </span>
          ))}
          {t('drafts.yoursReplaces')}
        </Message>
      )}
    </LiveRegion>
  )
}

/** What somebody else saved in a field that the user has changed too. */
type Change = { text: string; label: string; words: string }

function changeOf(field: Field, text: string): Change {
  const label = isBox(field)
    ? field.closest('label')
    : field.closest(':has(> label)')?.querySelector('label')?.firstChild
  const option =
    field instanceof HTMLSelectElement && field.querySelector(`[value="${CSS.escape(text)}"]`)
  const words = isBox(field) ? (text === 'true' ? '✓' : '') : option ? option.textContent : text
  return { text, label: label?.textContent ?? '', words: shortened(words) || '—' }
}

/** The first 200 characters, because a field can hold a long text. */
function shortened(words: string) {
  const shown = /^.{0,200}/su.exec(words)![0]
  return shown === words ? words : `${shown.trimEnd()}…`
}

function fieldsOf(form: HTMLFormElement) {
  return [...form.querySelectorAll<Field>(fields)]
}

function textsOf(form: HTMLFormElement, read = textOf): Draft {
  return Object.fromEntries(fieldsOf(form).map((field) => [keyOf(field), read(field)]))
}

/** Several checkboxes can have one name. */
function keyOf(field: Field) {
  return isBox(field) ? `${field.name} ${field.value}` : field.name
}

function textOf(field: Field) {
  return isBox(field) ? String(field.checked) : field.value
}

/** The text that a field was drawn with, which is the one that was last saved. */
function savedTextOf(field: Field) {
  if (field.dataset['default'] !== undefined) return field.dataset['default']
  if (field instanceof HTMLSelectElement) return field.value
  return isBox(field) ? String(field.defaultChecked) : field.defaultValue
}

function isBox(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox'
}

/** Enters the draft as if the user typed. */
function fillIn(form: HTMLFormElement, draft: Draft) {
  for (const field of fieldsOf(form)) {
    const text = draft[keyOf(field)]
    if (text === undefined || text === textOf(field)) continue
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

/** Removes what others than this user have typed. */
export function forgetDraftsOfOthers(uid: string) {
  for (const store of Object.values(draftStores)) write(store, uid, draftsOf(store, uid))
}

/** The drafts of the user, by the address of the form. */
function draftsOf(store: string, uid: string): Record<string, Draft> {
  try {
    const kept = JSON.parse(storageOf(store).getItem(store) ?? '{}')
    return kept.uid === uid ? kept.forms : {}
  } catch {
    return {}
  }
}

function write(store: string, uid: string, forms: Record<string, Draft>) {
  try {
    if (Object.keys(forms).length === 0) storageOf(store).removeItem(store)
    else storageOf(store).setItem(store, JSON.stringify({ uid, forms }))
  } catch {
    // If the browser blocks storage, drafts are not kept.
  }
}
