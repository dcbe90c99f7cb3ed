import { billing } from '#config/billing.ts'
import { Tag } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import type { CallError } from '../../api/post.ts'
import { Button } from '../../components/button.tsx'
import { FormErrors, TextField } from '../../components/fields.tsx'
import { LiveRegion, problemText } from '../../components/message.tsx'
import { useQuery } from '../../components/use-query.ts'
import { useT } from '../../platform/i18n.ts'

const parameter = 'code'

type Promotion = {
  code: string | undefined
  /** Why the code before was refused. */
  error: CallError | undefined
  apply: (code: string) => void
  remove: (because?: CallError) => void
}

/** The code that a buyer has applied. It is in the URL, so that a reload keeps it. */
export function usePromotion(): Promotion {
  const [query, change] = useQuery()
  const [error, setError] = useState<CallError>()

  function set(code?: string, because?: CallError) {
    setError(because)
    change((query) => (code ? query.set(parameter, code) : query.delete(parameter)))
  }

  return {
    code: (billing.promotionCodes && query.get(parameter)) || undefined,
    error,
    apply: set,
    remove: (because) => set(undefined, because),
  }
}

/** Whether a refusal is about the code alone, so that the buyer may go on without it. */
export function isAboutCode({ reason }: CallError, { code }: Promotion) {
  const isGuessing = code !== undefined && reason === 'auth/too-many-requests'
  return isGuessing || reason.startsWith('promotion')
}

/** Removes a code that a preview is refused for. Returns the error if it is about something else. */
export function useCodeProblem(error: CallError | null, promotion: Promotion) {
  const isRefused = error !== null && isAboutCode(error, promotion)
  const remove = useEffectEvent(promotion.remove)
  useEffect(() => {
    if (isRefused) remove(error)
  }, [isRefused, error])
  return isRefused ? null : error
}

/** `isPreviewed`: the sums on screen are those with the code. */
type PromotionCodeProps = Promotion & { isPreviewed: boolean; disabled?: boolean }

/** A field for a code, behind a button, because few buyers have one. */
export function PromotionCode(props: PromotionCodeProps) {
  const { code, error, apply, remove, isPreviewed, disabled } = props
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(code ?? '')
  const [applied, setApplied] = useState<string>()
  if (isPreviewed && applied !== code) setApplied(code)
  if (!billing.promotionCodes) return null
  const isApplied = code !== undefined && code === applied

  function removeCode() {
    remove()
    setOpen(true)
  }

  function applyText() {
    if (text.trim()) apply(text.trim())
  }

  function applyOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return
    // The form around pays.
    event.preventDefault()
    applyText()
  }

  return (
    <div className="grid gap-2">
      <LiveRegion>
        {isApplied && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="font-medium wrap-anywhere">{t('billing.promotion.applied', { code })}</p>
            <Button ref={isOpen ? focus : undefined} disabled={disabled} onClick={removeCode}>
              {t('billing.promotion.remove')}
            </Button>
          </div>
        )}
      </LiveRegion>
      {!isApplied && (isOpen || error !== undefined || code !== undefined) && (
        <FormErrors value={error ? { [parameter]: problemText(error, t) } : {}}>
          <div className="grid grid-cols-[1fr_auto] items-start gap-2">
            <TextField
              ref={focus}
              name={parameter}
              label="billing.promotion.label"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={100}
              value={text}
              disabled={disabled}
              onKeyDown={applyOnEnter}
              onChange={({ target }) => setText(target.value)}
            />
            <Button
              busy={code !== undefined}
              disabled={disabled}
              onClick={applyText}
              className="mt-6.5 min-h-10"
            >
              {t('billing.promotion.apply')}
            </Button>
          </div>
        </FormErrors>
      )}
      {!isApplied && !isOpen && error === undefined && code === undefined && (
        <Button icon={<Tag />} onClick={() => setOpen(true)} className="justify-self-start">
          {t('billing.promotion.have')}
        </Button>
      )}
    </div>
  )
}

function focus(control: HTMLElement | null) {
  control?.focus()
}
