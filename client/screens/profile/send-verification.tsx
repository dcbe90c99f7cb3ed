import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../api/use-session.tsx'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'

/** The button that mails the link, and below it what came of it. */
export function SendVerification() {
  const t = useT()
  const { user } = useSession()
  const send = useAction('sendVerificationEmail')
  return (
    <>
      <Button busy={send.busy} onClick={() => void send.run({})}>
        {t(send.done ? 'profile.resendVerification' : 'profile.sendVerification')}
      </Button>
      <LiveRegion className="w-full">
        {send.error && (
          <Problem
            error={send.error}
            failed="profile.verificationFailed"
            words={{ 'auth/too-many-requests': 'profile.tooManyVerifications' }}
          />
        )}
        {send.done && (
          <Message tone="good">{t('profile.verificationSent', { email: user.email })}</Message>
        )}
      </LiveRegion>
    </>
  )
}
