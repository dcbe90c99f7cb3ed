import { permissions } from '#config/permissions.ts'
import { settingsFields, type SettingsField } from '#config/settings.ts'
import { findPlan } from '#contract/access.ts'
import { deviceName } from '#contract/device.ts'
import type { Activity } from '#contract/entities.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useFormat } from '../../format.ts'
import { isMessageKey, useT } from '../../i18n.ts'
import { providerLabel } from '../../runtime.ts'
import { cardName } from '../billing/card-words.ts'

/** The words for an entry. A key that the configuration no longer has stands for itself. */
export function useSentence() {
  const t = useT()
  const format = useFormat()
  const permissionLabels: Record<string, { label: MessageKey }> = permissions
  const fieldLabels: Record<string, SettingsField> = settingsFields

  const plan = (id: string) => {
    const known = findPlan(id)
    return known ? t(known.titleKey) : id
  }
  const permission = (key: string) => (permissionLabels[key] ? t(permissionLabels[key].label) : key)
  const settingsField = (key: string) => (fieldLabels[key] ? t(fieldLabels[key].label) : key)
  const billingField = (key: string) =>
    isMessageKey(`activity.billingFields.${key}`)
      ? t(`activity.billingFields.${key}` as MessageKey)
      : key
  const device = (userAgent: string) => deviceName(userAgent, t) ?? t('profile.sessions.someDevice')

  return ({ kind, subject, details }: Activity) => {
    const word = (name: string) => String(details[name] ?? '')
    const words = (name: string, inWords: (key: string) => string) =>
      format.list([details[name] ?? []].flat().map(inWords))
    const values = { subject: subject || t('activity.someDeleted') }
    switch (kind) {
      case 'projectCreated':
        return t('activity.kinds.projectCreated', { plan: plan(word('plan')) })
      case 'projectCanceled':
        return t(
          details['because'] === 'unpaid'
            ? 'activity.kinds.projectUnpaid'
            : 'activity.kinds.projectCanceled',
        )
      case 'settingsChanged':
        return t('activity.kinds.settingsChanged', { fields: words('fields', settingsField) })
      case 'billingDetailsChanged':
        return t('activity.kinds.billingDetailsChanged', { fields: words('fields', billingField) })
      case 'planChanged':
        return t('activity.kinds.planChanged', { from: plan(word('from')), to: plan(word('to')) })
      case 'cardAdded':
      case 'cardRemoved':
      case 'defaultCardChanged':
        return t(`activity.kinds.${kind}`, {
          card: cardName({ brand: word('brand'), last4: word('last4') }),
        })
      case 'inviteSent':
      case 'memberJoined':
        return t(`activity.kinds.${kind}`, {
          ...values,
          permissions: words('permissions', permission),
        })
      case 'permissionsChanged':
        return t('activity.kinds.permissionsChanged', {
          ...values,
          from: words('from', permission),
          to: words('to', permission),
        })
      case 'signedIn':
      case 'signInFailed':
        return t(`activity.kinds.${kind}`, {
          device: device(word('device')),
          address: word('address'),
        })
      case 'providerLinked':
      case 'providerUnlinked':
        return t(`activity.kinds.${kind}`, { provider: providerLabel(word('provider')) })
      default:
        return t(`activity.kinds.${kind}`, { ...values, from: word('from'), to: word('to') })
    }
  }
}
