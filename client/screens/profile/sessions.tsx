import { deviceName, deviceOf } from '#contract/device.ts'
import type { Session } from '#contract/entities.ts'
import { Monitor, Smartphone } from 'lucide-react'
import { useId, useRef } from 'react'
import { awaitReload, useCall } from '../../api/queries.ts'
import { useAction } from '../../api/call.ts'
import { Unbroken } from '../../components/breakable.tsx'
import { Badge, Card } from '../../components/card.tsx'
import { Button } from '../../components/button.tsx'
import { FoldedList } from '../../components/folded-list.tsx'
import { LiveProblem } from '../../components/message.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'

/** The user's sessions. An ended one disappears at once, and comes back if the server refuses. */
export function Sessions() {
  const t = useT()
  const found = useCall('listSessions', {})
  const others = useAction('revokeOtherSessions')
  const list = useRef<HTMLUListElement>(null)
  const shown = found.data?.sessions
    .filter(({ is_current }) => is_current || !others.busy)
    .toSorted((one, other) => Number(other.is_current) - Number(one.is_current))

  const reload = () => awaitReload(found.refetch)

  /** Focuses the list, because the button that has the focus is about to disappear. */
  const focusList = () => list.current?.focus()

  async function endOthers() {
    focusList()
    if (await others.run({}, reload)) toast(t('profile.sessions.othersEnded'))
  }

  return (
    <Card
      title={t('profile.sessions.title')}
      flush
      action={
        shown &&
        shown.length > 1 && (
          <Button onClick={() => void endOthers()}>{t('profile.sessions.endOthers')}</Button>
        )
      }
    >
      <LiveProblem
        error={others.error}
        failed="profile.sessions.endFailed"
        className="px-inset pt-4"
      />
      <FoldedList
        ref={list}
        title={t('profile.sessions.title')}
        found={found}
        failed="profile.sessions.loadFailed"
        rows={shown}
        isFirst
      >
        {(session) => (
          <SessionRow key={session.id} session={session} onEnding={focusList} reload={reload} />
        )}
      </FoldedList>
    </Card>
  )
}

type SessionRowProps = { session: Session; onEnding: () => void; reload: () => Promise<unknown> }

function SessionRow({ session, onEnding, reload }: SessionRowProps) {
  const t = useT()
  const format = useFormat()
  const detailsId = useId()
  const end = useAction('revokeSession', () => void reload())
  const known = deviceName(session.user_agent, t)
  const device = known ?? t('profile.sessions.someDevice')
  const used = format.dateTime(session.last_used)
  const since = format.date(session.created)
  const Icon = deviceOf(session.user_agent).isHandheld ? Smartphone : Monitor
  if (end.busy) return null

  async function endIt() {
    onEnding()
    if (await end.run({ sessionId: session.id }, reload))
      toast(t('profile.sessions.ended', { device }))
  }

  return (
    <li className="grid gap-3 px-inset py-3">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3">
        <Icon className="row-span-2 size-5 text-soft" />
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-strong">
          {known ?? t('profile.sessions.unknown')}
          {session.is_current && <Badge tone="accent">{t('profile.sessions.current')}</Badge>}
        </p>
        <div
          id={detailsId}
          className="col-start-2 col-end-4 row-start-2 text-small text-soft tabular-nums wrap-anywhere"
        >
          <p>
            <Unbroken
              text={t('profile.sessions.lastUsed', { time: used, address: session.address })}
              parts={[used]}
            />
          </p>
          <p className="max-[30rem]:hidden">
            <Unbroken text={t('profile.sessions.since', { time: since })} parts={[since]} />
          </p>
        </div>
        {!session.is_current && (
          <Button
            onClick={() => void endIt()}
            aria-label={t('profile.sessions.endOf', { device })}
            aria-describedby={detailsId}
            className="col-start-3 row-start-1"
          >
            {t('profile.sessions.end')}
          </Button>
        )}
      </div>
      <LiveProblem error={end.error} failed="profile.sessions.endFailed" />
    </li>
  )
}
