import { paths } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useState } from 'react'
import { CallError } from '../../api/post.ts'
import { useOnce } from '../../api/use-once.ts'
import { CallForm } from '../../components/call-form.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useT } from '../../i18n.ts'
import { AuthCard } from '../../layouts/auth-card.tsx'
import { WayOn } from './way-on.tsx'

const modes = ['verifyAndChangeEmail', 'recoverEmail', 'secureAccount'] as const
type Mode = (typeof modes)[number]

export function isConfirmed(mode: string): mode is Mode {
  return modes.some((known) => known === mode)
}

/** Links that change an account: says which account and what changes, and waits for the button. */
export function ConfirmAction({ mode, oobCode }: { mode: Mode; oobCode: string }) {
  const t = useT()
  const [isDone, setDone] = useState(false)
  const { output: code, error, retry } = useOnce('checkActionCode', { oobCode })
  const failed: MessageKey = `auth.action.${mode}.failed`
  const isOther = code !== undefined && code.mode !== mode
  const problem = error ?? (isOther ? new CallError('auth/invalid-action-code') : undefined)
  const email = code && !isOther ? (code.newEmail ?? code.email) : undefined
  const isAsking = email !== undefined && !isDone
  return (
    <AuthCard
      title={t(`auth.action.${mode}.title`)}
      intro={
        isAsking && <span className="wrap-anywhere">{t('auth.action.passwordOf', { email })}</span>
      }
    >
      {!code && !error && <Spinner className="min-h-20" />}
      {problem && <Problem error={problem} failed={failed} retry={retry} />}
      {isDone && email !== undefined && (
        <LiveRegion>
          <Message tone="good">{t(`auth.action.${mode}.done`, { email })}</Message>
        </LiveRegion>
      )}
      {(problem || isDone) && (
        <WayOn to={paths.profile} label="auth.action.toProfile" email={email} />
      )}
      {isAsking && (
        <CallForm
          call="applyActionCode"
          input={() => ({ oobCode })}
          submit={`auth.action.${mode}.confirm`}
          failed={failed}
          onDone={() => setDone(true)}
          danger={mode === 'secureAccount'}
          wide
        >
          <p className="text-soft">{t(`auth.action.${mode}.text`)}</p>
        </CallForm>
      )}
    </AuthCard>
  )
}
