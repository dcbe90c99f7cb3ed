import type { MessageKey } from '#locales/keys.ts'
import { useAction } from '../../api/call.ts'
import { useSession } from '../../api/use-session.tsx'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'

/** The button that mails the link, and below it the outcome. */
export function SendVerification() {
  const t = useT()
  const { send, problem, success } = useSendVerification()
  return (
    <>
      <Button busy={send.busy} onClick={() => void send.run({})}>
        {t(send.done ? 'profile.resendVerification' : 'profile.sendVerification')}
      </Button>
      <LiveRegion className="w-full">
        {problem}
        {success}
      </LiveRegion>
    </>
  )
}

/** Says in `text` what needs a verified address, and offers to verify it. */
export function VerifyEmailNote({ text }: { text: MessageKey }) {
  const t = useT()
  const { user } = useSession()
  const { send, problem, success } = useSendVerification()
  const action = (
    <Button busy={send.busy} onClick={() => void send.run({})}>
      {t('profile.sendVerification')}
    </Button>
  )
  return (
    <LiveRegion className="grid gap-3">
      {problem}
      {success || (
        <Message tone="warn" action={action}>
          {t(text, { email: user.email })}
        </Message>
      )}
    </LiveRegion>
  )
}

function useSendVerification() {
  const t = useT()
  const { user } = useSession()
  const send = useAction('sendVerificationEmail')
  const problem = send.error && (
    <Problem
      error={send.error}
      failed="profile.verificationFailed"
      words={{ 'auth/too-many-requests': 'profile.tooManyVerifications' }}
    />
  )
  const success = send.done && (
    <Message tone="good">{t('profile.verificationSent', { email: user.email })}</Message>
  )
  return { send, problem, success }
}
