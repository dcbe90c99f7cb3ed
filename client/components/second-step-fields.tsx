import { useEffect, useRef, useState } from 'react'
import type { FactorType } from '#contract/entities.ts'
import type { CallError } from '../api/post.ts'
import { useCall } from '../api/queries.ts'
import { needsSecondStep } from '../api/second-step.ts'
import { useT } from '../platform/i18n.ts'
import { offersPasskeys } from '../platform/runtime.ts'
import { TextField, textOf } from './fields.tsx'

const looks = {
  code: {
    label: 'auth.secondStep.code',
    hint: 'auth.secondStep.codeHint',
    autoComplete: 'one-time-code',
    inputMode: 'numeric',
  },
  recoveryCode: {
    label: 'auth.secondStep.recoveryCode',
    hint: 'auth.secondStep.recoveryCodeHint',
    autoComplete: 'off',
    inputMode: 'text',
  },
} as const
type Code = keyof typeof looks
const codes = Object.keys(looks) as Code[]
type Way = Code | 'passkey'

type SecondStepFieldsProps = { focus?: boolean; hasPasskey?: boolean }

/** A code of the user's app, or another way to pass the second step. */
export function SecondStepFields({ focus = true, hasPasskey = false }: SecondStepFieldsProps) {
  const t = useT()
  const ways: Way[] = hasPasskey && offersPasskeys ? [...codes, 'passkey'] : codes
  const [shown, setShown] = useState<{ way: Way; focus: boolean }>({ way: 'code', focus })
  return (
    <div className="grid gap-2">
      {shown.way === 'passkey' ? (
        <PasskeyField />
      ) : (
        <CodeField key={shown.way} way={shown.way} focus={shown.focus} />
      )}
      <p className="flex flex-wrap gap-x-3 text-small text-soft">
        {t('auth.secondStep.anotherWay')}
        {ways
          .filter((way) => way !== shown.way)
          .map((way) => (
            <button
              key={way}
              type="button"
              onClick={() => setShown({ way, focus: true })}
              className="relative touch-target rounded-control font-medium text-accent-ink underline-offset-3 hover:underline"
            >
              {t(`auth.secondStep.${way}`)}
            </button>
          ))}
      </p>
    </div>
  )
}

/** With `focus`, it takes the focus when it is drawn. */
export function CodeField({ way = 'code', focus = true }: { way?: Code; focus?: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  // Not `autoFocus`: a title that is drawn at the same time takes the focus after that.
  useEffect(() => {
    if (focus) field.current!.focus()
  }, [focus])
  return (
    <TextField
      ref={field}
      name={way}
      {...looks[way]}
      autoCapitalize="none"
      spellCheck={false}
      className="tabular-nums"
      required
    />
  )
}

/** Sends the form at once, which lets the browser ask. Its button asks again. */
function PasskeyField() {
  const t = useT()
  const hint = useRef<HTMLParagraphElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    hint.current!.focus()
    field.current!.form!.requestSubmit()
  }, [])
  return (
    <>
      <input ref={field} type="hidden" name="passkey" value="yes" />
      <p ref={hint} tabIndex={-1} className="text-soft outline-none">
        {t('auth.secondStep.passkeyHint')}
      </p>
    </>
  )
}

/**
 * The part of a call's input that passes a second step. A refusal of the call has the question for
 * the user's own passkeys.
 */
export async function secondStepOf(values: FormData, refusal?: CallError) {
  if (!values.has('passkey'))
    return Object.fromEntries(
      codes.filter((way) => values.has(way)).map((way) => [way, textOf(values, way)]),
    )
  const { askAnyPasskey, askPasskey } = await import('../api/passkeys.ts')
  const options = refusal?.details['options'] as Parameters<typeof askPasskey>[0] | undefined
  return { credential: options ? await askPasskey(options) : (await askAnyPasskey()).credential }
}

/** Whether a passkey passes the second step that a refusal asks for. */
export function acceptsPasskey(refusal: CallError) {
  return refusal.details['options'] !== undefined
}

/**
 * Whether a form needs these fields: it is `known`, or the server refuses the form without them. The
 * `refusal` is that one, until its question for a passkey is too old.
 */
export function useSecondStepNeeded(known = false) {
  const [{ refusal, isOld }, setState] = useState<{ refusal?: CallError; isOld?: boolean }>({})
  return {
    isNeeded: known || refusal !== undefined,
    hasPasskey: refusal !== undefined && acceptsPasskey(refusal),
    refusal: isOld ? undefined : refusal,
    onRefused: (error: CallError) => {
      if (needsSecondStep(error)) setState({ refusal: error })
      if (error.reason === 'auth/resolver-expired') setState((state) => ({ ...state, isOld: true }))
    },
  }
}

/** Whether the signed-in user's second step is on, and whether they can use a passkey here. */
export function useOwnFactors() {
  const { data, isPending } = useCall('listFactors', {})
  const has = (wanted: FactorType) => data?.factors.some(({ type }) => type === wanted) === true
  return { isOn: has('totp'), hasPasskey: has('passkey') && offersPasskeys, isPending }
}
