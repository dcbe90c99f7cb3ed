import { activityAreas, activityKinds, type ActivityKind } from '#contract/activity.ts'
import type { Activity } from '#contract/entries.ts'
import { permissions, type PermissionKey } from '#config/permissions.ts'
import { product } from '#config/product.ts'
import { settingsFields } from '#config/settings.ts'
import { findPlan } from '#contract/access.ts'
import { deviceName } from '#contract/device.ts'
import type { Frequency } from '#contract/plan.ts'
import { planWords } from '#contract/price-words.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useSession } from '../../api/session.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Breakable } from '../../components/breakable.tsx'
import { icons } from '../../components/icons.ts'
import { useT, isMessageKey } from '../../platform/i18n.ts'
import { useRoles } from '../../components/permission-boxes.tsx'
import { useFormat } from '../../platform/format.ts'
import { providerLabel } from '../../platform/runtime.ts'
import { cardName } from '../billing/card-words.ts'

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

/** Their details are permissions, which appear as the role that they make. */
const withRoles: ReadonlySet<ActivityKind> = new Set([
  'inviteSent',
  'memberJoined',
  'joinLinkCreated',
  'permissionsChanged',
])

/** Nobody knows who did them. */
const byAnybody: ReadonlySet<ActivityKind> = new Set(['signInFailed', 'secondStepFailed'])

type InWords = (detail: string) => string

/** Says who did what. Shows a key itself if the configuration no longer has it. */
export function useActivityWords() {
  const t = useT()
  const format = useFormat()
  const roles = useRoles()
  const date = (seconds: string) => format.billingDate(Number(seconds))
  const device = (userAgent: string) => deviceName(userAgent, t) ?? t('profile.sessions.someDevice')

  function plan(id: string) {
    const known = findPlan(id)
    return known ? t(known.titleKey) : id
  }

  function billingField(name: string) {
    const key = `activity.billingFields.${name}`
    return isMessageKey(key) ? t(key) : name
  }

  function labelIn(config: Record<string, { label: MessageKey }>): InWords {
    return (key) => (config[key] ? t(config[key].label) : key)
  }

  /** Puts details into words. Details that are missing here appear in the sentence unchanged. */
  const inWords: Partial<Record<ActivityKind, Record<string, InWords>>> = {
    projectCreated: { plan },
    cancellationScheduled: { at: date },
    trialBegun: { at: date },
    secondFactorRequired: { at: date },
    settingsChanged: { fields: labelIn(settingsFields) },
    billingDetailsChanged: { fields: billingField },
    signedIn: { device },
    signInFailed: { device },
    secondStepFailed: { device },
    providerLinked: { provider: providerLabel },
    providerUnlinked: { provider: providerLabel },
  }

  function listed(kind: ActivityKind, name: string, details: string[]) {
    return format.list(details.map(inWords[kind]?.[name] ?? String))
  }

  function roleOf(keys: string[]) {
    const unknown = keys.filter((key) => !(key in permissions))
    const known = keys.filter((key): key is PermissionKey => key in permissions)
    return format.list([...(known.length > 0 ? [roles.as(known)] : []), ...unknown])
  }

  /** What nobody did, the product did. */
  function nameOf({ actor, kind }: Pick<Activity, 'actor' | 'kind'>) {
    if (actor) return actor.name || t('activity.deleted')
    return byAnybody.has(kind) ? t('activity.somebody') : product.name
  }

  /** Continues the name: `invited bob@example.com as an editor`, with the token that did it. */
  function sentence(entry: Omit<Activity, 'created'>) {
    const { token } = entry.details
    const did = deed(entry)
    return token === undefined ? did : t('activity.byToken', { did, token: String(token) })
  }

  function deed({ kind, subject, details }: Omit<Activity, 'created'>) {
    const { because, brand, by, last4 } = details
    const joinedByLink = kind === 'memberJoined' && by === 'link'
    if (kind === 'settingsChanged' && details['to'] !== undefined) return renamed(details)
    if (kind === 'planChanged') return t('activity.kinds.planChanged', planChange(details))
    if (kind === 'planChangeScheduled')
      return t(`activity.kinds.${kind}`, {
        ...planChange(details),
        at: date(String(details['at'])),
      })
    const values = Object.entries(details).map(([name, detail]) => [
      name,
      withRoles.has(kind) ? roleOf([detail].flat()) : listed(kind, name, [detail].flat()),
    ])
    const said = joinedByLink ? 'memberJoinedByLink' : kind
    return t(`activity.kinds.${because === 'unpaid' ? 'projectUnpaid' : said}`, {
      ...Object.fromEntries(values),
      subject: subject || t('activity.someDeleted'),
      ...('amount' in details && {
        amount: format.money(Number(details['amount']), String(details['currency'])),
      }),
      card: cardName({ brand: String(brand), last4: String(last4) }).replaceAll(' ', '\u{a0}'),
    })
  }

  /** The plans by name, with their intervals if these have changed, which are like `3 month`. */
  function planChange(details: Activity['details']) {
    const named = (name: 'from' | 'to') => {
      const title = plan(String(details[name]))
      const [every, frequency] = String(details[`${name}Price`] ?? '').split(' ')
      return frequency
        ? planWords(title, { every: Number(every), frequency: frequency as Frequency }, t)
        : title
    }
    return { from: named('from'), to: named('to') }
  }

  /** `renamed Bridge to Harbour`, with the other settings that changed. */
  function renamed({ from, to, fields = [] }: Activity['details']) {
    const names = { from: String(from), to: String(to) || t('common.untitledProject') }
    const said = t(from ? 'activity.kinds.projectRenamed' : 'activity.kinds.projectNamed', names)
    const others = [fields].flat().filter((field) => field !== 'name')
    if (others.length === 0) return said
    const also = { fields: listed('settingsChanged', 'fields', others) }
    return format.list([said, t('activity.kinds.settingsChanged', also)])
  }

  return { nameOf, sentence }
}
