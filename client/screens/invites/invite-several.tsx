import { defaultPermission } from '#contract/access.ts'
import { useId, useState } from 'react'
import { useCall } from '../../api/queries.tsx'
import { CallForm } from '../../components/call-form.tsx'
import { Message } from '../../components/message.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { TextAreaField } from '../../components/text-field.tsx'
import { firstPage } from '../../components/use-pages.ts'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { InviteResults } from './invite-results.tsx'
import { parsePeople } from './parse-people.ts'
import { useInviteSeveral } from './use-invite-several.ts'

/** A pasted list of people, all with the same permissions. */
export function InviteSeveral() {
  const t = useT()
  const { subscriptionId, pathTo } = useProject()
  const [text, setText] = useState('')
  const [permissions, setPermissions] = useState([defaultPermission])
  const several = useInviteSeveral({ subscriptionId, permissions })
  const { people, repeated, wrong } = parsePeople(text)
  const { data } = useCall('getSubscriptionUsers', { subscriptionId, ...firstPage })
  const free = data && Math.max(0, data.seats.total - data.seats.members - data.seats.pending)
  const count = people.length

  /** Makes a call for each person. */
  function send() {
    void several.start(people, wrong, free !== undefined && free >= count)
    return true
  }

  function startAnew() {
    several.reset()
    setText('')
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

/** What the parser has found in the list so far. */
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
