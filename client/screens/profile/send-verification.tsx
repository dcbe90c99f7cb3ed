import type { MessageKey } from '#locales/keys.ts'
import { useAction } from '../../api/call.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'

export function SendVerification() {
  const { button, problem, success } = useSendVerification()
  return (
    <>
      {button}
      <LiveRegion className="w-full">
        {problem}
        {success}
      </LiveRegion>
    </>
  )
}

/** Shows `text`, which says what needs a verified email address, and offers to verify it. */
export function VerifyEmailNote({ text }: { text: MessageKey }) {
  const t = useT()
  const { user } = useSession()
  const { button, problem, success } = useSendVerification()
  return (
    <LiveRegion className="grid gap-3">
      {problem}
      {success || (
        <Message tone="warn" action={button}>
          {t(text, { email: user.email })}
        </Message>
      )}
    </LiveRegion>
  )
}

function useSendVerification() {
  const t = useT()
  const { user } = useSession()
  const { busy, done, error, run } = useAction('sendVerificationEmail')
  const words = { 'auth/too-many-requests': 'profile.tooManyVerifications' } as const
  return {
    button: (
      <Button busy={busy} onClick={() => void run({})}>
        {t(done ? 'profile.resendVerification' : 'profile.sendVerification')}
      </Button>
    ),
    problem: <Problem error={error} failed="profile.verificationFailed" words={words} />,
    success: done && (
      <Message tone="good">{t('profile.verificationSent', { email: user.email })}</Message>
    ),
  }
}
