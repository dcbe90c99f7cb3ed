import { defaultPermission } from '#contract/access.ts'
import { tidyAddress } from '#contract/mail-address.ts'
import type { Seats } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import { useId, useRef, useState } from 'react'
import { useLocation, useSearchParams, Link } from 'react-router'
import type { CallError } from '../../api/post.ts'
import { useSession } from '../../api/session.ts'
import { AddressField } from '../../components/address-field.tsx'
import { CallForm, endDraft } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { FormDraft, typeIn } from '../../components/form-draft.tsx'
import { TextLink } from '../../components/button.tsx'
import { LiveRegion, Message } from '../../components/message.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { TextAreaField, TextField, textOf } from '../../components/fields.tsx'
import { useT } from '../../platform/i18n.ts'
import { withReturn } from '../../platform/return-path.ts'
import { useProject } from '../../layouts/use-project.ts'
import { SeatsLeft, SeatsMessage, useSeats } from '../members/seats.tsx'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { classes } from '../../components/classes.ts'
import { AlreadyInvited, AlreadyMember } from './invite-refusals.tsx'
import { InviteResults, useInviteSeveral } from './invite-several.tsx'
import { entryOf, parsePeople } from './parse-people.ts'
import { UnmailedInvite } from './unmailed-invite.tsx'

/** `?several` in the URL opens the form for a list of people. */
export function Invite() {
  const t = useT()
  const { user } = useSession()
  const { closed, subscription } = useProject()
  const several = useSearchParams()[0].has('several')
  return (
    <FormPage
      title={several ? 'users.inviteSeveral' : 'users.invite'}
      intro={closed ? undefined : 'users.inviteIntro'}
    >
      {closed && <Message tone="neutral">{t(closed)}</Message>}
      {!closed && !user.emailVerified && <VerifyEmailNote text="users.verifyToInvite" />}
      {!closed && user.emailVerified && (
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
  const { state } = useLocation()
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
    if (reason === 'alreadyMember') return <AlreadyMember email={invited} />
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
    >
      <FormDraft />
      <LiveRegion>{seats && <SeatsLeft seats={seats} free={isFull ? 0 : free!} />}</LiveRegion>
      <TextField name="name" label="users.name" autoComplete="off" maxLength={100} />
      <AddressField
        name="email"
        label="users.email"
        autoComplete="off"
        defaultValue={typeof state?.email === 'string' ? state.email : ''}
        required
      />
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
  const { seats, free } = useSeats()
  const box = useRef<HTMLTextAreaElement>(null)
  const count = people.length
  const fitting = people.slice(0, free)
  const rest = people.slice(fitting.length)

  const isSent = several.lines.length > 0

  /** Makes a call for each person who fits, instead of the form's one call. */
  function send() {
    keep([...rest.map(entryOf), ...wrong])
    void several.start(fitting, wrong, free !== undefined)
    return true
  }

  /** Adds those for whom no seat was left to what the list still has. */
  function startAnew() {
    const full = several.failed.filter(({ error }) => error?.reason === 'seatsFull')
    several.reset()
    keep([...full.map(({ item }) => entryOf(item!)), ...text.split('\n').filter(Boolean)])
  }

  /** As typed by the user, the entries stay a draft while they look for more seats. */
  function keep(entries: string[]) {
    if (entries.length === 0) endDraft(box.current?.form)
    if (entries.length > 0 && box.current) typeIn(box.current, entries.join('\n'))
    else setText(entries.join('\n'))
  }

  return (
    <>
      {isSent && <InviteResults {...several} rest={count} onAnew={startAnew} />}
      {(!isSent || text !== '') && (
        <div hidden={isSent}>
          <CallForm
            call="createInvite"
            check={() => (count > 0 ? undefined : { people: 'users.several.missing' })}
            holdBack={send}
            submit={
              count === 0
                ? 'users.several.submitNone'
                : free !== 0 && rest.length > 0
                  ? 'users.several.submitSome'
                  : 'users.several.submit'
            }
            words={{ count, some: fitting.length }}
            disabled={count > 0 && free === 0}
            cancel={pathTo('users')}
          >
            <FormDraft />
            <LiveRegion>{seats && !isSent && <SeatsLeft seats={seats} free={free!} />}</LiveRegion>
            <TextAreaField
              ref={box}
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
            {text.trim() !== '' && !isSent && (
              <Preview people={count} {...{ repeated, wrong, free }} />
            )}
            <PermissionBoxes
              legend={t('users.several.permissions')}
              chosen={permissions}
              onChoose={setPermissions}
            />
          </CallForm>
        </div>
      )}
    </>
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
      {free !== undefined && free > 0 && people > free && (
        <SeatsMessage tone="warn" title={t('users.several.fewSeats', { count: free })} />
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
