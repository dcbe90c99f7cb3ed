import { classes } from '../../../client/components/classes.ts'
import { useT } from '../../../client/platform/i18n.ts'

/** Marks a notice that is not read, and keeps its place beside one that is. */
export function Dot({ isUnread }: { isUnread: boolean }) {
  const t = useT()
  return (
    <span
      className={classes(
        'inline-block size-1.5 shrink-0 rounded-full',
        isUnread && 'bg-accent forced-colors:bg-[CanvasText]',
      )}
    >
      {isUnread && <span className="sr-only">{t('notices.unread')}</span>}
    </span>
  )
}
