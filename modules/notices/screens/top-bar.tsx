import { paths } from '#contract/paths.ts'
import { Bell, CheckCheck, Inbox } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../../client/api/call.ts'
import { useCall } from '../../../client/api/queries.ts'
import { MenuButton, MenuLine, type MenuAction } from '../../../client/components/menu-button.tsx'
import { firstPage } from '../../../client/components/use-query.ts'
import { useFormat } from '../../../client/platform/format.ts'
import { useLanguage, useT } from '../../../client/platform/i18n.ts'
import { ownTimeZone, useTimeZone } from '../../../client/platform/time-zone.ts'
import type { Notice } from '../contract.ts'
import { Dot } from './dot.tsx'

/** How many notices the menu has: a phone shows them without scrolling. */
const shown = 5

/** A bell with the number of unread notices. Its menu has the newest, by project. */
export function TopBar() {
  const t = useT()
  const format = useFormat()
  const language = useLanguage()
  const [isNear, setNear] = useState(false)
  const { data: counted } = useCall('countNotices', {})
  const input = { ...firstPage, language }
  const { data } = useCall('listNotices', input, { enabled: isNear, keepPrevious: true })
  const { run } = useAction('markNoticesRead')
  useZoneOfMail(counted?.time_zone)
  const unread = counted?.unread ?? 0
  const byProject = Map.groupBy(
    data?.notices.slice(0, shown) ?? [],
    ({ subscription_id }) => subscription_id,
  )

  const actionOf = ({ id, title, by, created, path, is_read }: Notice): MenuAction => ({
    key: id,
    label: title,
    note: [by !== null && t('notices.by', { name: by }), format.dateTime(created)]
      .filter(Boolean)
      .join(' · '),
    picture: <Dot isUnread={!is_read} />,
    to: path,
    onSelect: () => void (is_read || run({ noticeIds: [id] })),
  })

  return (
    <MenuButton
      label={counted ? t('notices.bell', { count: unread }) : t('notices.title')}
      className="relative grid size-full place-items-center rounded-control text-soft transition-colors hover:bg-tint hover:text-ink"
      from="screen"
      onNear={() => setNear(true)}
      actions={[
        ...[...byProject].flatMap(([project, notices]) => [
          {
            key: `of ${project}`,
            content: (
              <p
                aria-hidden
                className="px-3 pt-1 pb-1 text-label font-strong wrap-anywhere text-faint"
              >
                {project === null
                  ? t('notices.account')
                  : notices[0]!.project || t('common.untitledProject')}
              </p>
            ),
          },
          ...notices.map(actionOf),
        ]),
        ...(data?.total === 0
          ? [{ key: 'none', content: <p className="px-3 py-2 text-soft">{t('notices.empty')}</p> }]
          : [{ key: 'line', content: <MenuLine /> }]),
        ...(unread > 0
          ? [
              {
                key: 'mark',
                label: t('notices.markAll'),
                icon: CheckCheck,
                onSelect: () => void run({}),
              },
            ]
          : []),
        { key: 'all', label: t('notices.all'), icon: Inbox, to: paths.notices },
      ]}
    >
      <Bell className="size-4.5" />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute start-1/2 top-0.5 rounded-full bg-accent px-1 text-label leading-4 font-strong text-on-accent"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </MenuButton>
  )
}

/**
 * The mail of the day comes in the morning of where its reader is, which the browser says, or they
 * themselves, once a visit, of people who want that mail.
 */
function useZoneOfMail(saved: string | null | undefined) {
  const { run } = useAction('saveTimeZone')
  const isTold = useRef(false)
  // The signed-in area loads the user's record. This call only reads it from the cache.
  const { data } = useCall('getUser', {}, { enabled: false })
  const isMailed = Object.values(data?.user.notice_ways ?? {}).some(({ digest }) => digest)
  const chosen = useTimeZone()
  const timeZone = chosen ?? ownTimeZone()
  useEffect(() => {
    if (isTold.current || !isMailed || saved === undefined) return
    isTold.current = true
    if (saved !== timeZone) void run({ timeZone })
  })
}
