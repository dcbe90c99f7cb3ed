import type { MessageKey } from '#locales/keys.ts'
import { paths } from '#contract/paths.ts'
import { useEffect, type ReactNode } from 'react'
import { refreshUser, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../components/message.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { sentences } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { AuthCard } from '../../layouts/auth-layout.tsx'
import { WayOn } from '../identity/way-on.tsx'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { useInvitedAs, type Promised } from './use-answer.tsx'

// What the screens of an invitation and of a join link have in common.

/** Says who invites the visitor to what. */
export function Opening({ invite, children }: { invite: Promised; children: ReactNode }) {
  const t = useT()
  const { sentence, meaning } = useInvitedAs(invite)
  const project = invite.subscription_name || t('common.untitledProject')
  return (
    <AuthCard title={t('invites.join', { project })} intro={sentences(t, sentence, meaning)}>
      {children}
    </AuthCard>
  )
}

export function Checking() {
  const t = useT()
  return (
    <AuthCard title={t('invites.title')}>
      <Spinner className="min-h-20" />
    </AuthCard>
  )
}

/** A link that came without its code. */
export function BrokenLink() {
  const t = useT()
  return (
    <AuthCard title={t('invites.title')}>
      <Message tone="bad" title={t('auth.action.incomplete')}>
        {t('auth.action.brokenLinkHelp')}
      </Message>
      <WayOn to={paths.dashboard} label="common.toProjects" />
    </AuthCard>
  )
}

/** For a link that was not mailed: it doesn't verify the reader's address. */
export function VerifyFirst({ text }: { text?: MessageKey }) {
  const { verificationSent } = useSession().user
  useEffect(() => {
    // The user verifies the address in another tab, then comes back.
    const look = () => void refreshUser()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  return (
    <>
      <VerifyEmailNote
        text={text ?? (verificationSent ? 'invites.verifyFirst' : 'invites.verifyToAccept')}
      />
      <ToProjects />
    </>
  )
}

export function ToProjects() {
  const t = useT()
  return (
    <ButtonLink to={paths.dashboard} size="large">
      {t('common.toProjects')}
    </ButtonLink>
  )
}
