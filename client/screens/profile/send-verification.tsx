import type { MessageKey } from '#locales/keys.ts'
import { QueryClientContext } from '@tanstack/react-query'
import { useContext, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useCall } from '../../api/queries.ts'
import { useAction } from '../../api/call.ts'
import { refreshUser, useSession } from '../../api/session.ts'
import { Breakable, Unbroken } from '../../components/breakable.tsx'
import { Button } from '../../components/button.tsx'
import { LiveRegion, Message, Problem } from '../../components/message.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { parameters, useMailedCode } from '../../platform/mailed-code.ts'
import { rememberPlace } from '../identity/place-to-verify.ts'
import type { CallError } from '../../api/post.ts'
import { AddressField } from '../../components/address-field.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

export function SendVerification() {
  const t = useT()
  const { user } = useSession()
  const { button, problem, done } = useSendVerification()
  return (
    <>
      {button}
      <LiveRegion className="w-full">
        {problem}
        {done && (
          <Message tone="good">
            <Breakable text={t('profile.verificationSent', { email: user.email })} />
          </Message>
        )}
      </LiveRegion>
    </>
  )
}

/**
 * Says which address to verify, or that the verified one has to be confirmed, and when the link was
 * mailed. `text` says what needs a verified address. The link's screen leads back to this place.
 */
export function VerifyEmailNote(props: VerifyEmailNoteProps) {
  // A visitor's screen, such as an invitation's, shows it too, and reads nothing.
  const reads = useContext(QueryClientContext) !== undefined
  return reads ? <NoteThatReads {...props} /> : <Note {...props} />
}

function NoteThatReads(props: VerifyEmailNoteProps) {
  const { user } = useSession()
  const isLost = useCall('getUser', {}).data?.user.undeliverable_email === user.email
  return <Note {...props} isLost={isLost} />
}

type VerifyEmailNoteProps = {
  text?: MessageKey | undefined
  /** Where the link's screen leads, if not here. */
  place?: string | undefined
}

function Note({ text, place, isLost = false }: VerifyEmailNoteProps & { isLost?: boolean }) {
  const t = useT()
  const { user } = useSession()
  const { button, problem, done } = useSendVerification()
  const { email, emailVerified, claimed, verificationSent: sent } = user
  const isUnclaimed = emailVerified && !claimed
  const link = t(isUnclaimed ? 'profile.confirmItsYouHow' : 'profile.verificationSent', { email })
  const needed = t(text ?? 'profile.verifyToSeeInvites', { email })
  const lost = isLost && t('profile.undeliverable', { email })
  const isItYou = isUnclaimed && !text
  const title = lost || (isItYou ? t('profile.confirmItsYou') : text || !sent ? needed : link)
  const hasMore = !isLost && (isUnclaimed || (sent && text))

  const opened = useOpenedPath()
  const waiting = place ?? opened
  useEffect(() => rememberPlace(user.uid, waiting), [user.uid, waiting])

  return (
    <LiveRegion className="grid gap-3">
      {problem}
      <Message
        tone={sent && !isLost ? 'neutral' : 'warn'}
        title={
          <span className="text-ink">
            <Breakable text={title} />
          </span>
        }
        action={
          <span className="flex flex-wrap gap-2">
            {button}
            <WrongAddress />
          </span>
        }
      >
        {hasMore && (
          <>
            <Breakable text={link} />{' '}
          </>
        )}
        {sent && !isLost && <SentAt isAgain={done} />}
      </Message>
    </LiveRegion>
  )
}

/** The path of this screen, with the code of the link that opened it. */
function useOpenedPath() {
  const { pathname, search } = useLocation()
  const code = useMailedCode()
  const parameter = parameters[pathname]
  if (parameter === undefined || code === undefined) return pathname + search
  const query = new URLSearchParams(search)
  query.set(parameter, code)
  return `${pathname}?${query}`
}

/** When the newest link was mailed: its time today, or its date. */
function SentAt({ isAgain }: { isAgain: boolean }) {
  const t = useT()
  const format = useFormat()
  const { verificationSent: sent } = useSession().user
  const [now] = useState(() => new Date().toISOString())
  if (!sent) return null
  const [date, time] = [format.date(sent), format.time(sent)]
  if (isAgain) return <Unbroken text={t('profile.sentAgain', { time })} parts={[time]} />
  return date === format.date(now) ? (
    <Unbroken text={t('profile.sentToday', { time })} parts={[time]} />
  ) : (
    <Unbroken text={t('profile.sentOn', { date })} parts={[date]} />
  )
}

const reasons = { 'auth/too-many-requests': 'profile.tooManyVerifications' } as const

/** The user may have opened the link on another device. */
function learn({ reason }: CallError) {
  if (reason === 'alreadyVerified') void refreshUser()
}

function useSendVerification() {
  const t = useT()
  const { user } = useSession()
  const { busy, done, error, run } = useAction('sendVerificationEmail', learn)
  return {
    done,
    button: (
      <Button busy={busy} onClick={() => void run({})}>
        {t(user.verificationSent ? 'profile.resendVerification' : 'profile.sendVerification')}
      </Button>
    ),
    problem: <Problem error={error} failed="profile.verificationFailed" words={reasons} />,
  }
}

/** Corrects an address with a mistake. Its user can't open the link that was mailed to it. */
export function WrongAddress() {
  const t = useT()
  const { user } = useSession()
  const [isAsking, setAsking] = useState(false)

  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {t('profile.wrongAddress.action')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          call="correctEmail"
          title={t('profile.wrongAddress.title')}
          submit="profile.saveEmail"
          failed="profile.emailFailed"
          reasons={reasons}
          danger={false}
          onRefused={learn}
          onClose={() => setAsking(false)}
        >
          <p className="text-soft wrap-anywhere">
            <Breakable text={t('profile.wrongAddress.text', { email: user.email })} />
          </p>
          <AddressField
            name="email"
            label="profile.newEmail"
            autoComplete="email"
            maxLength={254}
            required
          />
        </ConfirmDialog>
      )}
    </>
  )
}
