import { activityAreas, activityKinds, type ActivityKind } from '#contract/activity.ts'
import type { Activity } from '#contract/entries.ts'
import { useSession } from '../../api/session.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Breakable } from '../../components/breakable.tsx'
import { icons } from '../../components/icons.ts'
import { useT } from '../../platform/i18n.ts'
import { useActivityWords } from './use-activity-words.ts'

/** `Carla Cruz invited omar@example.com as an editor`. A user's `own` deeds have an icon. */
export function WhoDidWhat({ entry, own }: { entry: Activity; own: boolean }) {
  const t = useT()
  const { user } = useSession()
  const { nameOf, sentence } = useActivityWords()
  const { actor, kind } = entry
  const isSelf = own && actor?.id === user.uid
  const Icon = icons[areaOf(kind)]!
  return (
    <div className="flex gap-3">
      {actor && !isSelf ? (
        <Avatar id={actor.id} name={actor.name || '–'} className="size-7 text-label" />
      ) : (
        <span className="grid size-7 shrink-0 place-items-center rounded-full bg-tint text-soft">
          <Icon className="size-3.5" />
        </span>
      )}
      <p className="min-w-0 pt-1 wrap-anywhere">
        <b className="font-semibold">
          {t(actor?.name ? 'activity.personDid' : 'activity.did', { name: nameOf(entry), did: '' })}
        </b>
        <Breakable text={sentence(entry)} />
      </p>
    </div>
  )
}

export function areaOf(kind: ActivityKind) {
  return activityAreas.find((area) => (activityKinds[area] as readonly string[]).includes(kind))!
}
