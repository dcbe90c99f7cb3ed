import { settingsFields, type SettingsField, type SettingsKey } from '#config/settings.ts'
import { projectPath } from '#contract/paths.ts'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../components/text-of.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'

const fields = Object.entries(settingsFields) as [SettingsKey, SettingsField][]
const inputTypes = { string: 'text' } as const satisfies Record<SettingsField['type'], string>

/** Made from the configured fields. */
export function Settings() {
  const t = useT()
  const { subscription, isActive } = useProject()
  const { id: subscriptionId } = subscription

  function input(values: FormData) {
    const settings = Object.fromEntries(fields.map(([key]) => [key, textOf(values, `settings.${key}`)])) as Record<SettingsKey, string>
    return { subscriptionId, settings }
  }

  return (
    <FormPage title="project.settings">
      {isActive ? (
        <CallForm
          call="updateSubscriptionSettings"
          input={input}
          submit="project.saveSettings"
          done="project.settingsSaved"
          failed="project.settingsFailed"
          then={projectPath('subscription', subscriptionId)}
          cancel={projectPath('subscription', subscriptionId)}
        >
          {fields.map(([key, { label, type, placeholder, required, maxLength }]) => (
            <TextField
              key={key}
              name={`settings.${key}`}
              label={label}
              type={inputTypes[type]}
              placeholder={t(placeholder)}
              defaultValue={subscription.settings[key]}
              required={required}
              maxLength={maxLength}
            />
          ))}
        </CallForm>
      ) : (
        <Message tone="neutral">{t('errors.subscriptionCanceled')}</Message>
      )}
    </FormPage>
  )
}
