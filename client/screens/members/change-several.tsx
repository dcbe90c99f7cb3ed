import { makesAdmin } from '#contract/access.ts'
import type { SubscriptionUser } from '#contract/entities.ts'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../components/button.tsx'
import { FormActions } from '../../components/call-form.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Select } from '../../components/fields.tsx'
import { LiveRegion, Message, problemText } from '../../components/message.tsx'
import { useRoles } from '../../components/permission-boxes.tsx'
import { forAll, SeriesList, useSeries, waitingLine, type Line } from '../../components/series.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { KeepInvites } from './keep-invites.tsx'
import { singleRoles } from './edit-permissions.tsx'
import { tooSoon, waitWords } from './resend-problem.tsx'

export const changes = ['role', 'resend', 'revoke', 'remove'] as const
export type Change = (typeof changes)[number]

/** Whether the change takes nothing away that can't be given back. */
export function isHarmless(change: Change) {
  return change === 'resend' || change === 'role'
}

/** Whether the change makes sense for this person. */
export function fits(change: Change, { status }: SubscriptionUser) {
  return (change === 'remove' || change === 'role') === (status === 'active')
}

type ChangeSeveralProps = {
  change: Change
  people: SubscriptionUser[]
  /** `done` says what was done, and is empty if nothing was. */
  onClose: (done: string) => void
}

/** Asks once, then makes the same change for several people, and tells who could not be changed. */
// oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a list that scrolls is reached by keyboard
export function ChangeSeveral({ change, people, onClose }: ChangeSeveralProps) {
  const t = useT()
  const { role } = useRoles()
  const { subscriptionId, name: project } = useProject()
  const dialog = useRef<HTMLDialogElement>(null)
  const safe = useRef<HTMLButtonElement>(null)
  const [asked] = useState(() => people.map(asLine))
  const [isKept, setKept] = useState(false)
  const [permissions, setPermissions] = useState(singleRoles[0]!)
  /** Whether the invitations end that the person sent. */
  const loses = (user: SubscriptionUser) =>
    change === 'remove' || (makesAdmin(user.permissions) && !makesAdmin(permissions))
  const { lines, busy, failed, sent, over, run, again } = useSeries<SubscriptionUser>(
    async (user, idempotencyKey) => {
      const ofMember = { subscriptionId, userId: user.id }
      const keepInvites = isKept && loses(user) && ({ keepInvites: true } as const)
      if (change === 'remove')
        return call('removeUser', { ...ofMember, ...keepInvites }, { idempotencyKey })
      if (change === 'role')
        return call(
          'updateUserPermissions',
          { ...ofMember, permissions, was: user.permissions, ...keepInvites },
          { idempotencyKey },
        )
      return call(`${change}Invite`, { subscriptionId, inviteId: user.id }, { idempotencyKey })
    },
    // An invitation that was resent a moment ago doesn't hold up the others.
    change === 'resend' ? forAll.filter((reason) => reason !== tooSoon) : forAll,
  )
  const count = asked.length
  const isAsking = lines.length === 0
  const isOver = !isAsking && !busy
  const done = sent > 0 ? t(`users.selection.${change}.done`, { count: sent }) : ''

  useEffect(() => {
    if (!busy) safe.current?.focus()
  }, [busy])

  async function start(series: Promise<Line<SubscriptionUser>[]>) {
    const all = await series
    if (all.every(({ state }) => state === 'sent'))
      dialog.current?.close(t(`users.selection.${change}.done`, { count: all.length }))
  }

  function outcome({ state, error }: Line<SubscriptionUser>) {
    if (state === 'sent') return t(`users.selection.${change}.outcome`)
    if (state !== 'refused') return t(`users.selection.${state}`)
    if (error!.reason !== tooSoon || change !== 'resend') return problemText(error!, t)
    return waitWords(error!, t)
  }

  return (
    <Dialog
      ref={dialog}
      title={t(`users.selection.${change}.title`, { count })}
      onClose={(said) => onClose(said || done)}
    >
      <div className="grid gap-4">
        {isAsking && (
          <p className="text-soft wrap-anywhere">
            {t(`users.selection.${change}.text`, { project })}
          </p>
        )}
        <LiveRegion>
          {busy && (
            <Message tone="neutral">{t('users.selection.progress', { done: over, count })}</Message>
          )}
          {isOver && sent < count && (
            <Message tone="warn">
              {t(`users.selection.${change}.partly`, { done: sent, failed: count - sent })}
            </Message>
          )}
        </LiveRegion>
        <section
          tabIndex={0}
          aria-label={t('users.selection.people')}
          className="max-h-100 overflow-y-auto rounded-notice"
        >
          <SeriesList lines={isAsking ? asked : lines} outcome={isAsking ? undefined : outcome} />
        </section>
        {isAsking && change === 'role' && (
          <label className="grid gap-1.5 text-small font-strong">
            {t('users.selection.role.field')}
            <Select
              value={role(permissions)}
              onChange={({ target }) => setPermissions(singleRoles[target.selectedIndex]!)}
            >
              {singleRoles.map((each) => (
                <option key={role(each)}>{role(each)}</option>
              ))}
            </Select>
          </label>
        )}
        {isAsking && (change === 'remove' || change === 'role') && (
          <KeepInvites
            count={people.filter(loses).reduce((sum, { invites_sent }) => sum + invites_sent, 0)}
            isKept={isKept}
            onKeep={setKept}
          />
        )}
        <FormActions>
          <Button ref={safe} size="large" disabled={busy} onClick={() => dialog.current?.close()}>
            {t(isAsking ? 'common.cancel' : 'users.selection.close')}
          </Button>
          {isAsking && (
            <Button
              variant={isHarmless(change) ? 'primary' : 'danger-solid'}
              size="large"
              onClick={() => void start(run(asked))}
            >
              {t(`users.selection.${change}.action`, { count })}
            </Button>
          )}
          {(busy || failed.length > 0) && !isAsking && (
            <Button variant="primary" size="large" busy={busy} onClick={() => void start(again())}>
              {t('users.selection.again', { count: failed.length || count })}
            </Button>
          )}
        </FormActions>
      </div>
    </Dialog>
  )
}

// oxlint-enable

function asLine(user: SubscriptionUser) {
  return waitingLine({ name: user.display_name, text: user.email, item: user })
}
