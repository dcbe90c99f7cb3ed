import { defaultPermission } from '#contract/access.ts'
import { useContext, useId, useRef, useState, type FormEvent } from 'react'
import { useCall } from '../../api/queries.tsx'
import { Button } from '../../components/button.tsx'
import { CancelLink } from '../../components/cancel-link.tsx'
import { FormActions } from '../../components/form-actions.tsx'
import { FormDrafts, FormErrors } from '../../components/form-context.ts'
import { Message } from '../../components/message.tsx'
import { PermissionBoxes } from '../../components/permission-boxes.tsx'
import { TextAreaField } from '../../components/text-field.tsx'
import { firstPage } from '../../components/use-pages.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { InviteResults } from './invite-results.tsx'
import { parsePeople } from './parse-people.ts'
import { useInviteSeveral } from './use-invite-several.ts'

/** A pasted list of people, all with the same permissions. */
export function InviteSeveral() {
  const t = useT()
  const drawDraft = useContext(FormDrafts)
  const { subscriptionId, pathTo } = useProject()
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [permissions, setPermissions] = useState([defaultPermission])
  const form = useRef<HTMLFormElement>(null)
  const several = useInviteSeveral({ subscriptionId, permissions })
  const { people, repeated, wrong } = parsePeople(text)
  const { data } = useCall('getSubscriptionUsers', { subscriptionId, ...firstPage })
  const free = data && Math.max(0, data.seats.total - data.seats.members - data.seats.pending)

  function send(event: FormEvent) {
    event.preventDefault()
    setMissing(people.length === 0)
    if (people.length > 0)
      void several.start(people, wrong, free !== undefined && free >= people.length)
    else form.current?.querySelector('textarea')?.focus()
  }

  function startAnew() {
    several.reset()
    setText('')
  }

  if (several.lines.length > 0) return <InviteResults {...several} onAnew={startAnew} />
  return (
    <FormErrors value={isMissing ? { people: t('users.several.missing') } : {}}>
      <form ref={form} noValidate onSubmit={send} className="grid gap-4">
        {drawDraft({ form, name: 'createInvite', isDone: false })}
        <TextAreaField
          name="people"
          label="users.several.people"
          hint="users.several.hint"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setMissing(false)
          }}
          rows={7}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        {text.trim() !== '' && (
          <Preview people={people.length} repeated={repeated} wrong={wrong} free={free} />
        )}
        <PermissionBoxes
          legend={t('users.several.permissions')}
          chosen={permissions}
          onChoose={setPermissions}
        />
        <FormActions>
          <CancelLink to={pathTo('users')}>{t('common.cancel')}</CancelLink>
          <Button type="submit" variant="primary" size="large">
            {people.length > 0
              ? t('users.several.submit', { count: people.length })
              : t('users.several.submitNone')}
          </Button>
        </FormActions>
      </form>
    </FormErrors>
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
