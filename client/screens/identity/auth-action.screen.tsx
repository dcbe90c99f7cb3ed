import type { CallOutput } from '#contract/calls.ts'
import { paths } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useState, useContext, useId } from 'react'
import { useSearchParams } from 'react-router'
import { CallError } from '../../api/post.ts'
import { useOnce } from '../../api/use-once.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { Checkbox, textOf, FieldError, FormErrors } from '../../components/fields.tsx'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { NewPasswordFields, samePasswords } from '../../components/new-password-fields.tsx'
import {
  SecondStepFields,
  secondStepOf,
  useSecondStepNeeded,
} from '../../components/second-step-fields.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { useMailedCode } from '../../platform/mailed-code.ts'
import { providerLabel } from '../../platform/runtime.ts'
import type { Check } from '../../components/field-errors.ts'
import { VerifyEmail } from './verify-email.tsx'
import { WayOn } from './way-on.tsx'

/** The screen of mailed links: `mode` in the URL says what the link does, `oobCode` is its code. */
export function AuthAction() {
  const [params] = useSearchParams()
  const mode = params.get('mode')
  const mailed = modes.find((known) => known === mode)
  const oobCode = useMailedCode()
  if (!mode || !oobCode) return <NotPossible text="auth.action.incomplete" />
  if (mode === 'verifyEmail') return <VerifyEmail oobCode={oobCode} />
  if (mailed) return <MailedAction mode={mailed} oobCode={oobCode} />
  return <NotPossible text="auth.action.unsupported" />
}

function NotPossible({ text }: { text: MessageKey }) {
  const t = useT()
  return (
    <AuthCard title={t('auth.action.brokenLink')}>
      <Message tone="bad" title={t(text)}>
        {t('auth.action.brokenLinkHelp')}
      </Message>
      <ButtonLink to={paths.signIn} size="large">
        {t('auth.backToSignIn')}
      </ButtonLink>
    </AuthCard>
  )
}

const modes = [
  'resetPassword',
  'verifyAndChangeEmail',
  'recoverEmail',
  'secureAccount',
  'keepFactors',
] as const
type Mode = (typeof modes)[number]

/** Carries out a mailed link that changes an account, after the user has seen the change. */
function MailedAction({ mode, oobCode }: { mode: Mode; oobCode: string }) {
  const t = useT()
  const [isDone, setDone] = useState(false)
  const { output: code, error: refusal, retry } = useOnce('checkActionCode', { oobCode })
  const isOther = code !== undefined && code.mode !== mode
  const error = refusal ?? (isOther ? new CallError('auth/invalid-action-code') : undefined)
  const isAsking = code !== undefined && !error && !isDone
  const mailedTo = code?.email ?? (error?.details['email'] as string | undefined)
  const email = code?.newEmail ?? mailedTo ?? ''
  const form = { oobCode, onDone: () => setDone(true) }
  return (
    <AuthCard
      title={t(`auth.action.${mode}.title`)}
      intro={isAsking && t('auth.action.passwordOf', { email })}
    >
      {!code && !error && <Spinner className="min-h-20" />}
      <Problem
        error={error}
        failed={mode === 'resetPassword' ? undefined : `auth.action.${mode}.failed`}
        retry={retry}
      />
      {isDone && (
        <LiveRegion>
          <Message tone="good">{t(`auth.action.${mode}.done`, { email })}</Message>
        </LiveRegion>
      )}
      {isAsking && mode === 'resetPassword' && <NewPasswordForm {...form} code={code} />}
      {isAsking && mode !== 'resetPassword' && <ConfirmForm {...form} mode={mode} />}
      {(error || isDone) && <Next mode={mode} isDone={isDone} email={email} />}
    </AuthCard>
  )
}

type FormProps = { oobCode: string; onDone: () => void }

function NewPasswordForm(props: FormProps & { code: CallOutput<'checkActionCode'> }) {
  const { oobCode, onDone, code } = props
  const t = useT()
  const format = useFormat()
  const { email, providers, addressChanged } = code
  const { isNeeded, hasPasskey, refusal, onRefused } = useSecondStepNeeded()

  const check: Check = (values) => ({
    ...samePasswords(values),
    ...(addressChanged && !values.has('wasMine') && { wasMine: 'auth.action.wasMine.required' }),
  })

  return (
    <CallForm
      call="confirmPasswordReset"
      input={async (values) => ({
        oobCode,
        newPassword: textOf(values, 'newPassword'),
        ...(await secondStepOf(values, refusal)),
        unlinkProviders: values.has('unlinkProviders'),
        ...(addressChanged && { wasMine: textOf(values, 'wasMine') === 'yes' }),
      })}
      check={check}
      submit="auth.action.resetPassword.confirm"
      failed="auth.action.resetPassword.failed"
      onDone={onDone}
      onRefused={onRefused}
      wide
    >
      {addressChanged && <WasMine changed={addressChanged} email={email} />}
      <NewPasswordFields email={email} />
      {providers && (
        <div>
          <p>
            {t('auth.action.otherWays', {
              providers: format.list(providers.map(providerLabel)),
            })}
          </p>
          <Checkbox name="unlinkProviders" defaultChecked>
            {t('auth.action.unlinkProviders')}
          </Checkbox>
        </div>
      )}
      {isNeeded && (
        <>
          <Message tone="neutral">{t('auth.secondStep.forPassword')}</Message>
          <SecondStepFields hasPasskey={hasPasskey} />
        </>
      )}
    </CallForm>
  )
}

function ConfirmForm(props: FormProps & { mode: Exclude<Mode, 'resetPassword'> }) {
  const { oobCode, onDone, mode } = props
  const t = useT()
  return (
    <CallForm
      call="applyActionCode"
      input={() => ({ oobCode })}
      submit={`auth.action.${mode}.confirm`}
      failed={`auth.action.${mode}.failed`}
      onDone={onDone}
      danger={mode === 'secureAccount'}
      wide
    >
      <p className="text-soft">{t(`auth.action.${mode}.text`)}</p>
    </CallForm>
  )
}

function Next({ mode, isDone, email }: { mode: Mode; isDone: boolean; email: string }) {
  const t = useT()
  if (mode !== 'resetPassword')
    return <WayOn to={paths.profile} label="auth.action.toProfile" email={email} />
  if (isDone) return <WayOn to={paths.signIn} label="auth.signIn" email={email} />
  return (
    <ButtonLink to={paths.resetPassword} state={{ email }} variant="primary" size="large">
      {t('auth.action.newResetLink')}
    </ButtonLink>
  )
}

/** Asks whether the account belonged to the reader before it got this address. */
function WasMine({ changed, email }: { changed: string; email: string }) {
  const t = useT()
  const format = useFormat()
  const [hintId, errorId] = [useId(), useId()]
  const error = useContext(FormErrors)['wasMine']
  return (
    <fieldset aria-describedby={error ? errorId : hintId}>
      <legend className="text-small font-strong">
        {t('auth.action.wasMine.question', { date: format.date(changed) })}
      </legend>
      <p id={hintId} className="mt-0.5 mb-1.5 text-small text-soft wrap-anywhere">
        {t('auth.action.wasMine.why', { email })}
      </p>
      <div className="grid divide-y divide-line rounded-notice border border-line">
        {(['yes', 'no'] as const).map((answer) => (
          <label key={answer} className="flex items-center gap-3 px-4 py-2.5">
            <input type="radio" name="wasMine" value={answer} className="tick shrink-0" />
            <span>
              {t(`auth.action.wasMine.${answer}`)}
              {answer === 'no' && (
                <span className="block text-small text-soft">
                  {t('auth.action.wasMine.afterNo')}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}
