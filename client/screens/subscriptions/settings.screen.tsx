import { settingsFields, type SettingsField } from '#config/settings.ts'
import type { CallInput } from '#contract/calls.ts'
import { projectName } from '#contract/project-name.ts'
import { CallForm } from '../../components/call-form.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { Message } from '../../components/message.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { SettingsFieldInput, settingOf } from './settings-field.tsx'

const fields = Object.entries<SettingsField>(settingsFields)

/** The fields come from the configuration. */
export function Settings() {
  const t = useT()
  const { subscriptionId, subscription, isActive, pathTo } = useProject()

  function input(values: FormData): CallInput<'updateSubscriptionSettings'> {
    return {
      subscriptionId,
      settings: Object.fromEntries(
        fields.map(([key, field]) => [key, settingOf(values, nameOf(key), field)]),
      ),
    }
  }

  return (
    <FormPage title="project.settings">
      {isActive ? (
        <CallForm
          call="updateSubscriptionSettings"
          input={input}
          submit="project.saveSettings"
          done="project.settingsSaved"
          // The first settings of a project give it its name.
          failed={
            projectName(subscription.settings) ? 'project.settingsFailed' : 'project.nameFailed'
          }
          then={pathTo('subscription')}
          cancel={pathTo('subscription')}
        >
          {fields.map(([key, field]) => (
            <SettingsFieldInput
              key={key}
              name={nameOf(key)}
              field={field}
              value={subscription.settings[key]}
            />
          ))}
        </CallForm>
      ) : (
        <Message tone="neutral">{t('errors.subscriptionCanceled')}</Message>
      )}
    </FormPage>
  )
}

/** The name by which the server refuses the field. */
function nameOf(key: string) {
  return `settings.${key}`
}
