import { permissions } from '#config/permissions.ts'
import { settingsFields } from '#config/settings.ts'
import { findPlan } from '#contract/access.ts'
import type { ActivityKind } from '#contract/activity.ts'
import { deviceName } from '#contract/device.ts'
import type { Activity } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useFormat } from '../../platform/format.ts'
import { isMessageKey, useT } from '../../platform/i18n.ts'
import { providerLabel } from '../../platform/runtime.ts'
import { cardName } from '../billing/card-words.ts'

type InWords = (detail: string) => string

/** Says who did what. Shows a key itself if the configuration no longer has it. */
export function useActivityWords() {
  const t = useT()
  const format = useFormat()

  function plan(id: string) {
    const known = findPlan(id)
    return known ? t(known.titleKey) : id
  }

  function billingField(name: string) {
    const key = `activity.billingFields.${name}`
    return isMessageKey(key) ? t(key) : name
  }

  function device(userAgent: string) {
    return deviceName(userAgent, t) ?? t('profile.sessions.someDevice')
  }

  function labelIn(config: Record<string, { label: MessageKey }>): InWords {
    return (key) => (config[key] ? t(config[key].label) : key)
  }

  const permission = labelIn(permissions)
  /** Puts details into words. Details that are missing here appear in the sentence unchanged. */
  const inWords: Partial<Record<ActivityKind, Record<string, InWords>>> = {
    projectCreated: { plan },
    planChanged: { from: plan, to: plan },
    settingsChanged: { fields: labelIn(settingsFields) },
    billingDetailsChanged: { fields: billingField },
    inviteSent: { permissions: permission },
    memberJoined: { permissions: permission },
    permissionsChanged: { from: permission, to: permission },
    signedIn: { device },
    signInFailed: { device },
    providerLinked: { provider: providerLabel },
    providerUnlinked: { provider: providerLabel },
  }

  function nameOf({ actor, kind }: Pick<Activity, 'actor' | 'kind'>) {
    if (actor) return actor.name || t('activity.deleted')
    return t(kind === 'signInFailed' ? 'activity.somebody' : 'activity.itself')
  }

  function sentence({ kind, subject, details }: Omit<Activity, 'created'>) {
    const { because, brand, last4 } = details
    const values = Object.entries(details).map(([name, detail]) => [
      name,
      format.list([detail].flat().map(inWords[kind]?.[name] ?? String)),
    ])
    return t(`activity.kinds.${because === 'unpaid' ? 'projectUnpaid' : kind}`, {
      ...Object.fromEntries(values),
      subject: subject || t('activity.someDeleted'),
      card: cardName({ brand: String(brand), last4: String(last4) }),
    })
  }

  return { nameOf, sentence }
}
