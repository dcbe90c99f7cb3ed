import { limits } from '#config/limits.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { Values } from '#locales/translator.ts'
import {
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useAction } from '../api/call.ts'
import type { CallError } from '../api/post.ts'
import { useT } from '../platform/i18n.ts'
import { Button, ButtonLink } from './button.tsx'
import { type Check, fieldErrorsOf, findFieldErrors } from './field-errors.ts'
import { type FieldErrors, FormErrors } from './fields.tsx'
import { NextLink } from './next-link.tsx'
import { LiveRegion, Message, Problem, type ReasonWords } from './message.tsx'
import { useGetReady, useReturnLink, useTimedReturn } from './use-go-on.ts'

export type CallFormProps<Name extends CallName> = {
  call: Name
  /** Makes the input of the call. By default, these are the values of the fields by their names. */
  input?: (values: FormData) => CallInput<Name> | Promise<CallInput<Name>>
  /** The text of the button: a verb with its object. */
  submit: MessageKey
  /** The message after success. */
  done?: MessageKey
  /** The values for the placeholders in `submit` and `done`. */
  words?: Values | undefined
  /** The title of a refusal, above its reason. */
  failed?: MessageKey | undefined
  /** Texts for refusal reasons that replace the general texts in this form. */
  reasons?: ReasonWords | undefined
  /** Draws a refusal that needs more than a text. For undefined, the form draws the message. */
  explain?: (error: CallError) => ReactNode
  /** Finds errors that a field can't find alone, such as two passwords that differ. */
  check?: Check | undefined
  /** Runs before sending. Returns true to stop the form from sending, and to do it another way. */
  holdBack?: (form: HTMLFormElement) => boolean
  /** The screen that opens after success, when the user has had time to read the message. */
  then?: string | undefined
  /** Milliseconds from success until `then` opens. */
  after?: number
  /** The screen that the cancel link opens, or what the cancel button does. By default `then`. */
  cancel?: string | (() => void)
  /** The text of the cancel link, where "Cancel" could mean what the form does. */
  cancelLabel?: MessageKey
  cancelRef?: Ref<HTMLButtonElement> | undefined
  /** Runs after success. The form is busy until it ends, and shows a CallError that it throws. */
  onDone?: (output: CallOutput<Name>) => unknown
  onRefused?: (error: CallError) => void
  /** Focuses the first empty field when the form appears, where that opens no keyboard on screen. */
  focused?: boolean
  disabled?: boolean | undefined
  busy?: boolean
  wide?: boolean
  /** Makes the button red, because something is lost. */
  danger?: boolean
  /** Takes the emphasis from the button, because it has done its work. */
  plain?: boolean
  children: ReactNode
}

/** A form that makes one call: checks its fields, sends them, and shows the outcome. */
export function CallForm<Name extends CallName>(props: CallFormProps<Name>) {
  const { call, submit, done, words, failed, reasons, explain, check, holdBack, then } = props
  const { after = limits.screens.returnAfterSave, busy = false } = props
  const { cancel = then, cancelLabel = 'common.cancel' } = props
  const { cancelRef, onDone, onRefused, focused, disabled, wide, danger, plain, children } = props
  const t = useT()
  const action = useAction(call, refused)
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [saidByFields, setSaidByFields] = useState(false)
  const next = action.done ? then : undefined
  useTimedReturn(next, after)
  // After some calls the user leaves at once, and may no longer read what the screen showed.
  useGetReady(after > 0 ? next : undefined)

  useEffect(() => {
    if (!focused || matchMedia('(hover: none)').matches) return
    const fields = [
      ...form.current!.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), textarea'),
    ]
    const first = fields.find(({ value }) => value === '') ?? fields[0]
    first?.focus()
  }, [focused])

  async function send(event: FormEvent) {
    event.preventDefault()
    if (action.busy || (action.done && then)) return
    const values = new FormData(form.current!)
    const wrong = findFieldErrors(form.current!, values, check, t)
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return focusFirst(wrong)
    if (holdBack?.(form.current!)) return
    await action.run(
      async () => (await props.input?.(values)) ?? (Object.fromEntries(values) as CallInput<Name>),
      (output) => {
        endDraft(form.current)
        return onDone?.(output)
      },
    )
  }

  function refused(error: CallError) {
    onRefused?.(error)
    // If the session has ended, the form is no longer on screen.
    if (!form.current) return
    const wrong = fieldErrorsOf(error, form.current, t)
    setErrors(wrong)
    setSaidByFields(Object.keys(wrong).length > 0)
    focusFirst(wrong)
  }

  function focusFirst(wrong: FieldErrors) {
    const field = Array.from(form.current!.elements).find((element) =>
      Object.hasOwn(wrong, element.getAttribute('name') ?? ''),
    )
    if (field instanceof HTMLElement) field.focus()
  }

  function forgive({ target }: FormEvent) {
    const { name } = target as HTMLInputElement
    if (name in errors) setErrors(({ [name]: _, ...rest }) => rest)
  }

  return (
    <FormErrors value={errors}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void send(event)}
        onInput={forgive}
        className="grid gap-4"
      >
        {children}
        <LiveRegion>
          {action.isFindingOut && <Message tone="neutral">{t('common.findingOut')}</Message>}
          {action.error &&
            (explain?.(action.error) ??
              (!saidByFields && <Problem error={action.error} failed={failed} words={reasons} />))}
          {action.done && done && (
            <Message tone="good" action={then && <NextLink to={then} />}>
              {t(done, words)}
            </Message>
          )}
        </LiveRegion>
        <FormActions>
          {typeof cancel === 'string' && (
            <CancelLink
              to={cancel}
              onLeave={() => endDraft(form.current)}
              disabled={next !== undefined}
            >
              {t(cancelLabel)}
            </CancelLink>
          )}
          {typeof cancel === 'function' && (
            <Button ref={cancelRef} size="large" onClick={cancel}>
              {t(cancelLabel)}
            </Button>
          )}
          <Button
            type="submit"
            variant={danger ? 'danger-solid' : plain ? 'plain' : 'primary'}
            size="large"
            busy={busy || action.busy}
            disabled={disabled || next !== undefined}
            className={wide ? 'w-full' : undefined}
          >
            {t(submit, words)}
          </Button>
        </FormActions>
      </form>
    </FormErrors>
  )
}

/** Tells the form's `FormDraft`, if there is one, that the form is saved or given up. */
export function endDraft(form: HTMLFormElement | null | undefined) {
  form?.dispatchEvent(new Event('over'))
}

/** The buttons below a form, the action last. On a phone they are as wide as it, the action on top. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse gap-3 *:max-w-full sm:flex-row sm:flex-wrap-reverse sm:justify-end">
      {children}
    </div>
  )
}

type CancelLinkProps = {
  to: string
  onLeave?: () => void
  disabled?: boolean
  children: ReactNode
}

/** A link from a form to the screen above it. It goes back in the history where possible. */
export function CancelLink({ to, onLeave, disabled, children }: CancelLinkProps) {
  const link = useReturnLink(to)

  function leave(event: MouseEvent<HTMLAnchorElement>) {
    link.onClick(event)
    if (event.defaultPrevented) onLeave?.()
  }

  return (
    <ButtonLink to={to} onClick={leave} size="large" disabled={disabled}>
      {children}
    </ButtonLink>
  )
}
