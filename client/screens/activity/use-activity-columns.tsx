import { activityKinds } from '#contract/activity.ts'
import type { Activity } from '#contract/entities.ts'
import { projectPath } from '#contract/paths.ts'
import { useSession } from '../../api/use-session.tsx'
import { Avatar } from '../../components/avatar.tsx'
import { Badge } from '../../components/badge.tsx'
import { classes } from '../../components/classes.ts'
import type { Column } from '../../components/table.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useT } from '../../i18n.ts'
import { useActivityWords } from './use-activity-words.ts'

const ofAccount: ReadonlySet<string> = new Set(activityKinds.account)

/** `own`: the user's own activity, from all projects. */
export function useActivityColumns(own: boolean): Column<Activity>[] {
  const t = useT()
  const format = useFormat()
  const { user } = useSession()
  const { nameOf, sentence } = useActivityWords()
  const isSelf = ({ actor }: Activity) => actor?.id === user.uid
  const where: Column<Activity> = {
    key: 'where',
    title: t('activity.where'),
    cell: ({ kind, subscription }) =>
      subscription ? (
        <TextLink
          to={projectPath('subscription', subscription.id)}
          className="block wrap-anywhere fold:min-w-28"
        >
          {subscription.name || t('common.untitledProject')}
        </TextLink>
      ) : (
        <span className="block text-soft fold:min-w-28">
          {t(ofAccount.has(kind) ? 'activity.account' : 'activity.formerProject')}
        </span>
      ),
  }
  return [
    {
      key: 'who',
      title: t('activity.who'),
      cell: (entry) => (
        <span
          className={classes('flex items-center gap-2.5', own ? 'fold:min-w-24' : 'fold:min-w-52')}
        >
          <Avatar name={entry.actor?.name || '–'} className="size-7 text-label max-fold:hidden" />
          <span className={entry.actor?.name ? 'min-w-0 font-semibold wrap-anywhere' : 'text-soft'}>
            {own && isSelf(entry) ? t('users.you') : nameOf(entry)}
          </span>
          {!own && isSelf(entry) && <Badge>{t('users.you')}</Badge>}
        </span>
      ),
    },
    {
      key: 'what',
      title: t('activity.what'),
      cell: (entry) => <span className="block wrap-anywhere fold:min-w-52">{sentence(entry)}</span>,
    },
    ...(own ? [where] : []),
    {
      key: 'when',
      title: t('activity.when'),
      cell: ({ created }) => (
        <time
          dateTime={new Date(created * 1000).toISOString()}
          className="text-soft tabular-nums fold:whitespace-nowrap"
        >
          {format.dateTime(created)}
        </time>
      ),
    },
  ]
}
