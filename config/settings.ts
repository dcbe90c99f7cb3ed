import type { MessageKey } from '#locales/keys.ts'

type Common = { label: MessageKey; required: boolean; placeholder?: MessageKey; hint?: MessageKey }

/**
 * `string` is one line, `text` several. `url` begins with http:// or https://. `color` is
 * `#rrggbb`. Lengths are in characters. A required `boolean` must be checked.
 */
export type SettingsField =
  | (Common & { type: 'string' | 'text' | 'url' | 'email'; maxLength: number })
  | (Common & { type: 'number'; min: number; max: number; step?: number })
  | (Common & { type: 'select'; options: Record<string, MessageKey> })
  | (Common & { type: 'color'; placeholder?: never })
  | (Common & { type: 'boolean'; placeholder?: never; hint?: never })

/** What a project's administrators may set. `name` is also the project's name everywhere. */
export const settingsFields = {
  name: {
    label: 'settings.name',
    type: 'string',
    placeholder: 'settings.namePlaceholder',
    required: true,
    maxLength: 100,
  },
} as const satisfies Record<string, SettingsField>
