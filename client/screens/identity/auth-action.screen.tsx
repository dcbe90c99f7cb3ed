import { paths } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { isMailedAction, MailedAction } from './mailed-action.tsx'
import { VerifyEmail } from './verify-email.tsx'

/**
 * Opens from the links in mails: `mode` says what for, `oobCode` proves that the user got the mail.
 */
export function AuthAction() {
  const [params] = useSearchParams()
  const mode = params.get('mode')
  const oobCode = params.get('oobCode')
  if (!mode || !oobCode) return <NotPossible text="auth.action.incomplete" />
  if (mode === 'verifyEmail') return <VerifyEmail oobCode={oobCode} />
  if (isMailedAction(mode)) return <MailedAction mode={mode} oobCode={oobCode} />
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
