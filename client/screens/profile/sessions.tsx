import { useRef } from 'react'
import { useCall } from '../../api/queries.tsx'
import { useAction } from '../../api/call.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { Problem } from '../../components/problem.tsx'
import { TableSkeleton } from '../../components/table.tsx'
import { useT } from '../../i18n.ts'
import { toast } from '../../toasts.ts'
import { SessionRow } from './session-row.tsx'

/** A session disappears at once when the user ends it, and comes back if that is refused. */
export function Sessions() {
  const t = useT()
  const { data, error, refetch } = useCall('listSessions', {})
  const others = useAction('revokeOtherSessions')
  const list = useRef<HTMLUListElement>(null)
  const shown = data?.sessions.filter(({ is_current }) => is_current || !others.busy) ?? []

  // The change itself has started to reload the list.
  const reload = () => refetch({ cancelRefetch: false })

  /** The button that has the focus is about to go. */
  const focusList = () => list.current?.focus()

  async function endOthers() {
    focusList()
    if (await others.run({}, reload)) toast(t('profile.sessions.othersEnded'))
  }

  return (
    <Card
      title={t('profile.sessions.title')}
      className="max-w-180"
      flush
      action={
        shown.length > 1 && (
          <Button onClick={() => void endOthers()}>{t('profile.sessions.endOthers')}</Button>
        )
      }
    >
      <LiveRegion className="px-4 pt-4 sm:px-5">
        {error && <Problem error={error} failed="profile.sessions.loadFailed" retry={refetch} />}
        {others.error && <Problem error={others.error} failed="profile.sessions.endFailed" />}
      </LiveRegion>
      {data ? (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={t('profile.sessions.title')}
          className="divide-y divide-line outline-none"
        >
          {shown.map((session) => (
            <SessionRow key={session.id} session={session} onEnding={focusList} reload={reload} />
          ))}
        </ul>
      ) : (
        !error && <TableSkeleton />
      )}
    </Card>
  )
}
