import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { currentSession, subscribeToSession } from '../api/session.ts'
import { useSession } from '../api/use-session.tsx'
import { keepDraft, takeDraft, type FieldValues } from '../drafts.ts'
import { useT } from '../i18n.ts'
import { Button } from './button.tsx'
import { changedSince, fillIn, valuesOf } from './draft-values.ts'
import type { FormDraftProps } from './form-context.ts'
import { LiveRegion, Message } from './message.tsx'

/**
 * Keeps what is typed into a form when the session ends under it, and puts it back when the same person comes again. Not for dialogs:
 * they are about one of many, and don't come back by themselves.
 */
export function FormDraft({ form: ref, name, isDone }: FormDraftProps) {
  const t = useT()
  const { user } = useSession()
  const { pathname, search } = useLocation()
  const [isBack, setBack] = useState(false)
  const first = useRef<FieldValues>(undefined)
  const form = `${pathname}${search} ${name}`

  useEffect(() => {
    const element = ref.current!
    if (element.closest('dialog')) return
    first.current ??= valuesOf(element)
    // What is typed in an effect is not yet listened to.
    const timer = setTimeout(() => {
      const draft = takeDraft(user.uid, form)
      if (draft) fillIn(element, draft)
      if (draft) setBack(true)
    })
    return () => clearTimeout(timer)
  }, [ref, user.uid, form])

  useEffect(() => {
    const element = ref.current!
    if (isDone) first.current = valuesOf(element)
    return subscribeToSession(() => {
      const session = currentSession()
      if (session.status !== 'signedOut' || session.because !== 'ended' || !first.current) return
      const typed = changedSince(first.current, valuesOf(element))
      if (Object.keys(typed).length > 0) keepDraft(user.uid, form, typed)
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
