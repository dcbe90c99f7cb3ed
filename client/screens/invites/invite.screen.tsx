import { defaultPermission } from '#contract/access.ts'
import { tidyAddress } from '#contract/mail-address.ts'
import { projectName } from '#contract/project-name.ts'
import { useState, useId } from 'react'
import { useSearchParams, Link } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { useCall } from '../../api/queries.tsx'
import { useSession } from '../../api/session.ts'
import { AddressField } from '../../components/address-field.tsx'
import { CallForm, FormPage } from '../../components/call-form.tsx'
import { TextLink } from '../../components/button.tsx'
import { Message } from '../../components/message.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { TextAreaField, TextField, textOf } from '../../components/fields.tsx'
import { firstPage } from '../../components/use-query.ts'
import { useT } from '../../platform/i18n.ts'
import { withReturn } from '../../platform/return-path.ts'
import { useProject } from '../../layouts/use-project.ts'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { classes } from '../../components/classes.ts'
import { AlreadyInvited, AlreadyMember, SeatsFull } from './invite-refusals.tsx'
import { InviteResults, useInviteSeveral } from './invite-several.tsx'
import { parsePeople } from './parse-people.ts'
import { UnmailedInvite } from './unmailed-invite.tsx'

/** `?several` in the URL opens the form for a list of people. */
export function Invite() {
  const t = useT()
  const { user } = useSession()
  const { isActive, subscription } = useProject()
  const several = useSearchParams()[0].has('several')
  return (
    <FormPage
      title={several ? 'users.inviteSeveral' : 'users.invite'}
      intro={isActive ? 'users.inviteIntro' : undefined}
    >
      {!isActive && <Message tone="neutral">{t('errors.subscriptionCanceled')}</Message>}
      {isActive && !user.emailVerified && <VerifyEmailNote text="users.verifyToInvite" />}
      {isActive && user.emailVerified && (
        <div className="grid grid-cols-1 gap-5">
          {!projectName(subscription.settings) && <Nameless />}
          <Ways several={several} />
          {several ? <InviteSeveral /> : <InviteOne />}
        </div>
      )}
    </FormPage>
  )
}

/** The project's name is the first that a guest reads of it. */
function Nameless() {
  const t = useT()
  const { name, pathTo } = useProject()
  const action = (
    <TextLink to={withReturn(pathTo('settings'), pathTo('invite'))} className="underline">
      {t('project.nameIt')}
    </TextLink>
  )
  return (
    <Message tone="warn" action={action}>
      {t('users.nameless', { project: name })}
    </Message>
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
  const { subscriptionId, pathTo } = useProject()
  const [permissions, setPermissions] = useState([defaultPermission])
  const [invited, setInvited] = useState('')
  const [unmailed, setUnmailed] = useState<string>()

  function keep(email: string) {
    setInvited(tidyAddress(email))
    return email
  }

  function explain({ reason, details }: CallError) {
    if (reason === 'alreadyInvited') return <AlreadyInvited email={invited} />
    if (reason === 'alreadyMember') return <AlreadyMember email={invited} />
    if (reason === 'seatsFull') return <SeatsFull seats={Number(details['seats'])} />
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
      onDone={({ inviteId, mailed }) => mailed === false && setUnmailed(inviteId)}
      then={pathTo('users')}
    >
      <TextField name="name" label="users.name" autoComplete="off" maxLength={100} />
      <AddressField name="email" label="users.email" autoComplete="off" required />
      <PermissionBoxes
        legend={t('users.permissions')}
        chosen={permissions}
        onChoose={setPermissions}
      />
    </CallForm>
  )
}

function InviteSeveral() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const [text, setText] = useState('')
  const [permissions, setPermissions] = useState([defaultPermission])
  const several = useInviteSeveral(subscriptionId, permissions)
  const { people, repeated, wrong } = parsePeople(text)
  const { data } = useCall('getSubscriptionUsers', { subscriptionId, ...firstPage })
  const free = data && Math.max(0, data.seats.total - data.seats.members - data.seats.pending)
  const count = people.length

  /** Makes a call for each person, instead of the form's one call. */
  function send() {
    void several.start(people, wrong, free !== undefined && free >= count)
    return true
  }

  /** Leaves the wrong entries to be mended. */
  function startAnew() {
    several.reset()
    setText(wrong.join('\n'))
  }

  if (several.lines.length > 0) return <InviteResults {...several} onAnew={startAnew} />
  return (
    <CallForm
      call="createInvite"
      check={() => (count > 0 ? undefined : { people: 'users.several.missing' })}
      holdBack={send}
      submit={count > 0 ? 'users.several.submit' : 'users.several.submitNone'}
      words={{ count }}
      cancel={pathTo('users')}
    >
      <TextAreaField
        name="people"
        label="users.several.people"
        hint="users.several.hint"
        value={text}
        onChange={({ target }) => setText(target.value)}
        rows={7}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      {text.trim() !== '' && <Preview people={count} {...{ repeated, wrong, free }} />}
      <PermissionBoxes
        legend={t('users.several.permissions')}
        chosen={permissions}
        onChoose={setPermissions}
      />
    </CallForm>
  )
}

type PreviewProps = { people: number; repeated: number; wrong: string[]; free: number | undefined }

function Preview({ people, repeated, wrong, free }: PreviewProps) {
  const t = useT()
  const titleId = useId()
  return (
    <div className="grid gap-3">
      <p aria-live="polite" className="flex flex-wrap gap-x-3 text-small">
        <span className="font-strong">{t('users.several.count', { count: people })}</span>
        {repeated > 0 && (
          <span className="text-soft">{t('users.several.repeated', { count: repeated })}</span>
        )}
      </p>
      {free !== undefined && people > free && (
        <Message tone="warn">
          {free > 0 ? t('users.several.fewSeats', { count: free }) : t('users.several.noSeats')}
        </Message>
      )}
      {wrong.length > 0 && (
        <div className="rounded-notice border border-line px-4 py-3 text-small">
          <p id={titleId} className="font-strong text-bad">
            {t('users.several.wrongTitle', { count: wrong.length })}
          </p>
          <ul aria-labelledby={titleId} className="mt-1 max-h-32 overflow-y-auto text-soft">
            {Object.entries(wrong).map(([place, entry]) => (
              <li key={place} className="wrap-anywhere">
                {entry}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
