import { useEffect, useRef, useState } from 'react'
import type { CallError } from '../api/post.ts'
import { useCall } from '../api/queries.ts'
import { needsSecondStep } from '../api/second-step.ts'
import { useT } from '../platform/i18n.ts'
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
type Way = keyof typeof looks
const ways = Object.keys(looks) as Way[]

/** A code of the user's app, or another way to pass the second step. */
export function SecondStepFields({ focus = true }: { focus?: boolean }) {
  const t = useT()
  const [shown, setShown] = useState<{ way: Way; focus: boolean }>({ way: 'code', focus })
  return (
    <div className="grid gap-2">
      <CodeField key={shown.way} {...shown} />
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
              {t(looks[way].label)}
            </button>
          ))}
      </p>
    </div>
  )
}

/** With `focus`, it takes the focus when it is drawn. */
export function CodeField({ way = 'code', focus = true }: { way?: Way; focus?: boolean }) {
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

/** The part of a call's input that passes a second step. */
export function secondStepOf(values: FormData) {
  return Object.fromEntries(
    ways.filter((way) => values.has(way)).map((way) => [way, textOf(values, way)]),
  )
}

/** Whether a form needs these fields: it is `known`, or the server refuses the form without them. */
export function useSecondStepNeeded(known = false) {
  const [isRefused, setRefused] = useState(false)
  return {
    isNeeded: known || isRefused,
    onRefused: (error: CallError) => needsSecondStep(error) && setRefused(true),
  }
}

/** Whether the signed-in user's second step is on. */
export function useSecondStepOn() {
  const { data, isPending } = useCall('listFactors', {})
  return { isOn: data?.factors.some(({ type }) => type === 'totp') === true, isPending }
}
