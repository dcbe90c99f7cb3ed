import { defaultPermission } from '#contract/access.ts'
import { tidyAddress } from '#contract/mail-address.ts'
import type { Seats, SubscriptionUser } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams, Link } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { AddressField } from '../../components/address-field.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { FormDraft } from '../../components/form-draft.tsx'
import { TextLink, Button, ButtonLink } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { TextField, textOf } from '../../components/fields.tsx'
import { useT } from '../../platform/i18n.ts'
import { withReturn } from '../../platform/return-path.ts'
import { useProject } from '../../layouts/use-project.ts'
import { SeatsLeft, useSeats } from '../members/seats.tsx'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { classes } from '../../components/classes.ts'
import { JoinLinkCard } from './join-link.tsx'
import { InviteSeveral } from './several-form.tsx'
import { UnmailedInvite } from './invite-results.tsx'
import { useAction } from '../../api/call.ts'
import { useCall } from '../../api/queries.ts'
import { firstPage } from '../../components/use-query.ts'
import { ResendProblem } from '../members/resend-problem.tsx'

/** `?several` in the URL opens the form for a list of people. */
export function Invite() {
  const t = useT()
  const { user, closed, subscription, name, pathTo } = useProject()
  const several = useSearchParams()[0].has('several')
  return (
    <FormPage
      title={several ? 'users.inviteSeveral' : 'users.invite'}
      intro={closed ? undefined : 'users.inviteIntro'}
      below={!closed && user.emailVerified && <JoinLinkCard />}
    >
      {closed && <Message tone="neutral">{t(closed)}</Message>}
      {!closed && (
        <div className="grid grid-cols-1 gap-5">
          {user.emailVerified && !projectName(subscription.settings) && (
            // The project's name is the first that a guest reads of it.
            <Message
              tone="warn"
              action={
                <TextLink
                  to={withReturn(pathTo('settings'), pathTo('invite'))}
                  className="underline"
                >
                  {t('project.nameIt')}
                </TextLink>
              }
            >
              {t('users.nameless', { project: name })}
            </Message>
          )}
          <Ways several={several} />
          {several ? <InviteSeveral /> : <InviteOne />}
        </div>
      )}
    </FormPage>
  )
}

function Ways({ several }: { several: boolean }) {
  const t = useT()
  const one = useProject().pathTo('invite')
  const ways = [
    { to: one, label: t('users.one'), isShown: !several },
    { to: `${one}?several`, label: t('users.several.tab'), isShown: several },
  ]
  return (
    <nav
      aria-label={t('users.ways')}
      className="flex gap-1 justify-self-start rounded-control border border-line bg-sunken p-1"
    >
      {ways.map(({ to, label, isShown }) => (
        <Link
          key={to}
          to={to}
          replace
          aria-current={isShown ? 'page' : undefined}
          className={classes(
            'rounded-control border px-1.5 py-1 text-center whitespace-nowrap min-[22.5rem]:px-3.5 font-strong transition-colors',
            isShown
              ? 'border-line-strong bg-surface text-ink shadow-low'
              : 'border-transparent text-soft hover:text-ink forced-colors:border-[Canvas]',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

function InviteOne() {
  const t = useT()
  const { user, subscriptionId, pathTo } = useProject()
  const [permissions, setPermissions] = useState([defaultPermission])
  const [invited, setInvited] = useState('')
  const [unmailed, setUnmailed] = useState<string>()
  const { state } = useLocation()
  const name = useRef<HTMLInputElement>(null)
  // Where the palette has filled in the address, Enter sends the invitation.
  useEffect(() => {
    if (state?.email) name.current!.focus()
  }, [state])
  const { seats, free } = useSeats()
  // What was known at a refusal for want of seats: it counts until something else is known.
  const [fullAt, setFullAt] = useState<Seats>()
  const isFull = free === 0 || (seats !== undefined && seats === fullAt)

  function keep(email: string) {
    setInvited(tidyAddress(email))
    return email
  }

  function explain({ reason }: CallError) {
    if (reason === 'alreadyInvited') return <AlreadyInvited email={invited} />
    if (reason === 'alreadyMember')
      return (
        <Message tone="neutral" action={<ShowInUsers email={invited} />}>
          {t('users.duplicate.member')}
        </Message>
      )
    if (reason === 'seatsFull' && seats)
      return isFull && <Message tone="warn">{t('users.full.none')}</Message>
    return undefined
  }

  if (unmailed) return <UnmailedInvite id={unmailed} email={invited} />
  return (
    <CallForm
      call="createInvite"
      input={(values) => ({
        subscriptionId,
        email: keep(textOf(values, 'email')),
        name: textOf(values, 'name').trim() || undefined,
        permissions,
      })}
      submit="users.sendInvitation"
      done="users.invitationSent"
      failed="users.inviteFailed"
      explain={explain}
      onRefused={({ reason }) => reason === 'seatsFull' && setFullAt(seats)}
      onDone={({ inviteId, mailed }) => mailed === false && setUnmailed(inviteId)}
      then={pathTo('users')}
      disabled={!user.emailVerified}
    >
      {!user.emailVerified && <VerifyEmailNote text="users.verifyToInvite" />}
      <FormDraft />
      <LiveRegion>{seats && <SeatsLeft seats={seats} free={isFull ? 0 : free!} />}</LiveRegion>
      <TextField ref={name} name="name" label="users.name" autoComplete="off" maxLength={100} />
      <AddressField
        name="email"
        label="users.email"
        autoComplete="off"
        defaultValue={typeof state?.email === 'string' ? state.email : ''}
        required
      />
      <PermissionBoxes chosen={permissions} onChoose={setPermissions} />
    </CallForm>
  )
}

/** Offers what helps with an invitation that is open already. The field says that it is. */
function AlreadyInvited({ email }: { email: string }) {
  const t = useT()
  const { subscriptionId } = useProject()
  const found = useCall('getSubscriptionUsers', { subscriptionId, search: email, ...firstPage })
  const invite = found.data?.users.find((user) => isInvite(user, email))
  const resend = useAction('resendInvite')

  if (resend.done) return <Message tone="good">{t('users.resend.done', { email })}</Message>
  return (
    <div className="grid gap-3">
      <ResendProblem error={resend.error} />
      <Message
        tone="neutral"
        action={
          <div className="flex flex-wrap gap-2">
            <ShowInUsers email={email} />
            <Button
              busy={resend.busy}
              disabled={!invite}
              onClick={() => void resend.run({ subscriptionId, inviteId: invite!.id })}
            >
              {t('users.resend.action')}
            </Button>
          </div>
        }
      >
        {t('users.duplicate.invited')}
      </Message>
    </div>
  )
}

function ShowInUsers({ email }: { email: string }) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <ButtonLink to={`${pathTo('users')}?search=${encodeURIComponent(email)}`}>
      {t('users.duplicate.show')}
    </ButtonLink>
  )
}

function isInvite({ status, email }: SubscriptionUser, invited: string) {
  return status === 'pending' && email === invited
}
