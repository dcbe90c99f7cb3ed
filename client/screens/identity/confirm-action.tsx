import { paths } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useState } from 'react'
import { CallError } from '../../api/post.ts'
import { useOnce } from '../../api/use-once.ts'
import { useVisitor } from '../../api/use-session.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useT } from '../../i18n.ts'
import { AuthCard } from '../../layouts/auth-card.tsx'

const modes = ['verifyAndChangeEmail', 'recoverEmail', 'secureAccount'] as const
type Mode = (typeof modes)[number]

export function isConfirmed(mode: string): mode is Mode {
  return modes.some((known) => known === mode)
}

/** Links that change an account: says whose and what, and does nothing before the button is pressed. */
export function ConfirmAction({ mode, oobCode }: { mode: Mode; oobCode: string }) {
  const t = useT()
  const [isDone, setDone] = useState(false)
  const { output: code, error, retry } = useOnce('checkActionCode', { oobCode })
  const title = t(`auth.action.${mode}.title`)
  const failed: MessageKey = `auth.action.${mode}.failed`

  if (error || (code && code.mode !== mode)) {
    return (
      <AuthCard title={title}>
        <Problem
          error={error ?? new CallError('auth/invalid-action-code')}
          failed={failed}
          retry={retry}
        />
        <WayOn />
      </AuthCard>
    )
  }
  if (!code) {
    return (
      <AuthCard title={title}>
        <Spinner className="min-h-20" />
      </AuthCard>
    )
  }
  const email = code.newEmail ?? code.email
  if (isDone) {
    return (
      <AuthCard title={title}>
        <LiveRegion>
          <Message tone="good">{t(`auth.action.${mode}.done`, { email })}</Message>
        </LiveRegion>
        <WayOn email={email} />
      </AuthCard>
    )
  }
  return (
    <AuthCard
      title={title}
      intro={<span className="wrap-anywhere">{t('auth.action.passwordOf', { email })}</span>}
    >
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
    </AuthCard>
  )
}

function WayOn({ email }: { email?: string }) {
  const t = useT()
  const { status } = useVisitor()
  return status === 'signedIn' ? (
    <ButtonLink to={paths.profile} variant="primary" size="large">
      {t('auth.action.toProfile')}
    </ButtonLink>
  ) : (
    <ButtonLink to={paths.signIn} state={{ email }} variant="primary" size="large">
      {t('auth.signIn')}
    </ButtonLink>
  )
}
