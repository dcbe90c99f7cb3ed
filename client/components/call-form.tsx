import { limits } from '#config/limits.ts'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { Values } from '#locales/translator.ts'
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { CallError } from '../api/post.ts'
import { useAction } from '../api/call.ts'
import { useVisitor } from '../api/session.ts'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { fieldErrorsOf, findFieldErrors, type Check } from './field-errors.ts'
import { FormErrors, type FieldErrors } from './field.tsx'
import { CancelLink, FormActions } from './form-actions.tsx'
import { FormDraft } from './form-draft.tsx'
import { LiveRegion, Message, Problem, type ReasonWords } from './message.tsx'
import { useTimedReturn } from './use-go-on.ts'

export type CallFormProps<Name extends CallName> = {
  call: Name
  /** The input of the call. Without it, the fields are sent by their names. */
  input?: (values: FormData) => CallInput<Name> | Promise<CallInput<Name>>
  /** The words on the button: a verb with its object. */
  submit: MessageKey
  /** The message of success. */
  done?: MessageKey
  /** The placeholders in `submit` and `done`. */
  words?: Values | undefined
  /** The title of a refusal, above its reason. */
  failed?: MessageKey | undefined
  /** What a reason means in this form, where it means more than in general. */
  reasons?: ReasonWords | undefined
  /** Replaces the message of a refusal that needs more than words. */
  explain?: (error: CallError) => ReactNode
  /** Checks that need more than one field. */
  check?: Check | undefined
  /** Whether something else happens instead of sending, such as a question first. */
  holdBack?: () => boolean
  /** The screen that follows when the user has read the message. */
  then?: string | undefined
  /** Milliseconds until that screen. */
  after?: number
  /** The screen for a user who gives up, if it is another one. */
  cancel?: string
  /** The words on the way back, where "Cancel" could mean what the form does. */
  cancelLabel?: MessageKey
  /** Runs after the call. The form stays busy until it ends, and shows its refusal. */
  onDone?: (output: CallOutput<Name>) => unknown
  onRefused?: (error: CallError) => void
  disabled?: boolean | undefined
  wide?: boolean
  /** What the form does can't be undone. */
  danger?: boolean
  children: ReactNode
}

/** Every form that makes a call: checks its fields, sends them, and says how that ended. */
export function CallForm<Name extends CallName>(props: CallFormProps<Name>) {
  const { call, submit, done, words, failed, reasons, explain, check, holdBack, then } = props
  const { after = limits.screens.returnAfterSave } = props
  const { cancel = then, cancelLabel = 'common.cancel' } = props
  const { onDone, onRefused, disabled, wide, danger, children } = props
  const t = useT()
  const visitor = useVisitor()
  const action = useAction(call, refused)
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [saidByFields, setSaidByFields] = useState(false)
  useTimedReturn(action.done ? then : undefined, after)

  async function send(event: FormEvent) {
    event.preventDefault()
    if (action.busy || (action.done && then)) return
    const values = new FormData(form.current!)
    const wrong = findFieldErrors(form.current!, values, check, t)
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return focusFirst(wrong)
    if (holdBack?.()) return
    await action.run(
      async () => (await props.input?.(values)) ?? (Object.fromEntries(values) as CallInput<Name>),
      onDone,
    )
  }

  function refused(error: CallError) {
    onRefused?.(error)
    // The end of a session removes the form.
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

  const count = Object.keys(errors).length
  return (
    <FormErrors value={errors}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void send(event)}
        onInput={forgive}
        className="grid gap-4"
      >
        {visitor.status === 'signedIn' && (
          <FormDraft form={form} name={call} isDone={action.done} />
        )}
        {children}
        <LiveRegion>
          {action.error &&
            !saidByFields &&
            (explain?.(action.error) ?? (
              <Problem error={action.error} failed={failed} words={reasons} />
            ))}
          {count > 1 && <Message tone="bad">{t('forms.fieldsWrong', { count })}</Message>}
          {action.done && done && <Message tone="good">{t(done, words)}</Message>}
        </LiveRegion>
        <FormActions>
          {cancel && <CancelLink to={cancel}>{t(cancelLabel)}</CancelLink>}
          <Button
            type="submit"
            variant={danger ? 'danger-solid' : 'primary'}
            size="large"
            busy={action.busy}
            disabled={disabled || (action.done && then !== undefined)}
            className={wide ? 'w-full' : undefined}
          >
            {t(submit, words)}
          </Button>
        </FormActions>
      </form>
    </FormErrors>
  )
}
