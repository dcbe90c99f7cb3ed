import type { MessageKey } from '#locales/keys.ts'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../api/use-session.tsx'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { useT } from '../../i18n.ts'

/** Stands where something would be that is only for those whose address is known to be theirs: `text` says what. */
export function VerifyEmailNote({ text }: { text: MessageKey }) {
  const t = useT()
  const { user } = useSession()
  const send = useAction('sendVerificationEmail')
  return (
    <LiveRegion className="grid gap-3">
      {send.error && (
        <Problem
          error={send.error}
          failed="profile.verificationFailed"
          words={{ 'auth/too-many-requests': 'profile.tooManyVerifications' }}
        />
      )}
      {send.done ? (
        <Message tone="good">{t('profile.verificationSent', { email: user.email })}</Message>
      ) : (
        <Message
          tone="warn"
          action={
            <Button busy={send.busy} onClick={() => void send.run({})}>
              {t('profile.sendVerification')}
            </Button>
          }
        >
          {t(text, { email: user.email })}
        </Message>
      )}
    </LiveRegion>
  )
}
