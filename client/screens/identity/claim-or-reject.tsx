import { paths } from '#contract/paths.ts'
import { limits } from '#config/limits.ts'
import { useState } from 'react'
import type { CallError } from '../../api/post.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { PasswordField, textOf } from '../../components/fields.tsx'
import { Message } from '../../components/message.tsx'
import { NewPasswordFields, samePasswords } from '../../components/new-password-fields.tsx'
import { useT } from '../../platform/i18n.ts'
import { ProviderButtons } from './providers.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ToPasswordReset } from './way-on.tsx'

/** The code of the link, and the address that it verified. */
type Opened = { oobCode: string; email: string }

type ClaimAccountProps = Opened & {
  /** Whether the user sets a new password, instead of typing the account's. */
  isNew: boolean
  onChoose: (isNew: boolean) => void
}

/** Lets somebody who is not signed in show that the account with the verified address is theirs. */
export function ClaimAccount({ oobCode, email, isNew, onChoose }: ClaimAccountProps) {
  const t = useT()

  function explain({ reason }: CallError) {
    if (reason !== 'auth/invalid-action-code') return undefined
    return (
      <Message
        tone="warn"
        action={
          <ButtonLink to={paths.resetPassword} state={{ email }}>
            {t('auth.resetPassword')}
          </ButtonLink>
        }
      >
        {t('auth.action.claim.claimedAlready')}
      </Message>
    )
  }

  const failed = 'auth.action.claim.failed'
  const form = { call: 'claimAccount', failed, explain, wide: true } as const
  return (
    <section className="grid gap-4 border-t border-line pt-5">
      <div className="grid gap-1">
        <h2 className="text-card">
          {t(isNew ? 'auth.action.claim.newPasswordTitle' : 'auth.action.claim.title')}
        </h2>
        <p className="text-soft">
          {t(isNew ? 'auth.action.claim.newPasswordText' : 'auth.action.claim.text')}
        </p>
      </div>
      {isNew ? (
        <CallForm
          {...form}
          key="new"
          input={(values) => ({ oobCode, newPassword: textOf(values, 'newPassword') })}
          check={samePasswords}
          submit="auth.action.claim.newPasswordSubmit"
        >
          <NewPasswordFields email={email} />
        </CallForm>
      ) : (
        <CallForm
          {...form}
          reasons={{ 'auth/invalid-credential': 'errors.auth/wrong-password' }}
          key="present"
          input={(values) => ({ oobCode, password: textOf(values, 'password') })}
          submit="auth.action.claim.submit"
        >
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <PasswordField name="password" label="auth.password" autoComplete="current-password" />
        </CallForm>
      )}
      <Button variant="quiet" size="large" onClick={() => onChoose(!isNew)}>
        {t(isNew ? 'auth.action.claim.toPassword' : 'auth.action.claim.toNewPassword')}
      </Button>
      {!isNew && <ProviderButtons />}
    </section>
  )
}

/** What has become of an account that the owner of its address rejected. */
export type Rejected = 'ended' | 'returned'

type RejectVerificationProps = Opened & {
  onRejected: (rejected: Rejected) => void
  /** The user would rather have the account. Missing for somebody who is signed in to another. */
  onMine?: (() => void) | undefined
}

export const hoursUntilDeletion = limits.rejectedAccount / 3_600_000

/** Ends an account that the owner of its address did not create, after a question. */
export function RejectVerification(props: RejectVerificationProps) {
  const { oobCode, email, onRejected, onMine } = props
  const t = useT()
  const [isAsking, setAsking] = useState(false)

  function explain({ reason }: CallError) {
    if (reason !== 'ownsActiveProjects' && reason !== 'auth/expired-action-code') return undefined
    return (
      <Message
        tone="bad"
        title={t('auth.action.notMine.failed')}
        action={<ToPasswordReset email={email} />}
      >
        {t(`auth.action.notMine.${reason === 'ownsActiveProjects' ? 'owns' : 'expired'}`)}
      </Message>
    )
  }

  return (
    <>
      <Button variant="quiet" size="large" onClick={() => setAsking(true)}>
        {t('auth.action.notMine.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call="rejectVerification"
          title={t('auth.action.notMine.title')}
          input={() => ({ oobCode })}
          submit="auth.action.notMine.submit"
          failed="auth.action.notMine.failed"
          reasons={{ 'auth/invalid-action-code': 'auth.action.notMine.gone' }}
          explain={explain}
          onDone={({ returned }) => onRejected(returned ? 'returned' : 'ended')}
          onClose={() => setAsking(false)}
        >
          <p className="text-soft wrap-anywhere">
            {t('auth.action.notMine.text', { hours: hoursUntilDeletion })}
          </p>
          {onMine && (
            <Button
              size="large"
              onClick={() => {
                setAsking(false)
                onMine()
              }}
            >
              {t('auth.action.claim.newPasswordTitle')}
            </Button>
          )}
        </ConfirmDialog>
      )}
    </>
  )
}
