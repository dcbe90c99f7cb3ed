import type { MessageKey } from '#locales/keys.ts'

export type SettingsField = {
  label: MessageKey
  type: 'string'
  placeholder: MessageKey
  required: boolean
  /** Characters. */
  maxLength: number
}

/** What a project's administrators may set. `name` is also the project's name everywhere. */
export const settingsFields = {
  name: { label: 'settings.name', type: 'string', placeholder: 'settings.namePlaceholder', required: true, maxLength: 100 },
} as const satisfies Record<string, SettingsField>

export type SettingsKey = keyof typeof settingsFields
