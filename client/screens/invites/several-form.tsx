import { defaultPermission } from '#contract/access.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { toCallError, type CallError } from '../../api/post.ts'
import { listAll } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CallForm, endDraft } from '../../components/call-form.tsx'
import { DidYouMean } from '../../components/address-field.tsx'
import { TextAreaField } from '../../components/fields.tsx'
import { FormDraft, typeIn } from '../../components/form-draft.tsx'
import { likelyAddress } from '../../components/likely-address.ts'
import { LiveProblem, LiveRegion } from '../../components/message.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { useProject } from '../../layouts/use-project.ts'
import { useT } from '../../platform/i18n.ts'
import { SeatsLeft, SeatsMessage, useSeats } from '../members/seats.tsx'
import { VerifyEmailNote } from '../profile/send-verification.tsx'
import { InviteResults, useInviteSeveral } from './invite-results.tsx'
import { entryOf, parsePeople } from './parse-people.ts'

type InviteSeveralProps = {
  /** Where the screen of the link leads that verifies the address, if not here. */
  place?: string
  /** The id of a canceled project whose people the list begins with. */
  former?: string | undefined
  focused?: boolean
}

/** Invites the people of a list. It can be written before the user has verified their address. */
export function InviteSeveral({ place, former, focused = false }: InviteSeveralProps) {
  const { user, subscriptionId, pathTo } = useProject()
  const [text, setText] = useState('')
  const [permissions, setPermissions] = useState([defaultPermission])
  const several = useInviteSeveral(subscriptionId, permissions)
  const { people, repeated, wrong } = parsePeople(text)
  const { seats, free } = useSeats()
  const box = useRef<HTMLTextAreaElement>(null)
  const mistyped = people.find(({ email }) => likelyAddress(email))?.email
  const meant = mistyped && likelyAddress(mistyped)
  const count = people.length
  const fitting = people.slice(0, free)
  const rest = people.slice(fitting.length)

  const isSent = several.lines.length > 0
  const found = useFormerPeople(former, (entries) => {
    if (box.current?.value === '') typeIn(box.current, entries.join('\n'))
  })

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

  /** Gives all addresses with the same mistake the domain that was meant. */
  function correct() {
    const [from, to] = [mistyped!, meant!].map((address) => address.slice(address.indexOf('@')))
    const all = new RegExp(from!.replaceAll('.', String.raw`\.`), 'gi')
    typeIn(box.current!, text.replaceAll(all, to!))
    box.current!.focus()
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
            disabled={!user.emailVerified || (count > 0 && free === 0)}
            cancel={pathTo('users')}
            focused={focused}
          >
            {!user.emailVerified && <VerifyEmailNote text="users.verifyToInvite" place={place} />}
            <FormDraft ofPeople={subscriptionId} />
            <LiveProblem error={found.error} failed="users.several.formerFailed" />
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
            <DidYouMean typed={text} meant={meant} onAccept={correct} />
            {text.trim() !== '' && !isSent && (
              <Preview people={count} {...{ repeated, wrong, free }} />
            )}
            <PermissionBoxes
              legend="users.several.permissions"
              chosen={permissions}
              onChoose={setPermissions}
            />
          </CallForm>
        </div>
      )}
    </>
  )
}

/** Reads once who is in a former project, and hands over those that can be invited again. */
function useFormerPeople(id: string | undefined, onFound: (entries: string[]) => void) {
  const { user } = useSession()
  const [error, setError] = useState<CallError>()
  const hand = useEffectEvent((people: SubscriptionUser[]) => {
    const others = people.filter(({ email }) => email !== user.email)
    onFound(others.map(({ display_name: name, email }) => entryOf({ name, email })))
  })
  useEffect(() => {
    if (id === undefined) return
    listAll('getSubscriptionUsers', { subscriptionId: id }).then(
      (people) => hand(people),
      (thrown: unknown) => setError(toCallError(thrown)),
    )
  }, [id])
  return { error }
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
