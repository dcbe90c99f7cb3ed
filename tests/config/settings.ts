import type { SettingsField } from '../../config/settings.ts'

export type { SettingsField }

export const settingsFields = {
  name: {
    label: 'settings.name',
    type: 'string',
    placeholder: 'settings.namePlaceholder',
    required: true,
    maxLength: 100,
  },
} as const satisfies Record<string, SettingsField>
