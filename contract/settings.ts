import type { SettingsField } from '#config/settings.ts'
import * as z from 'zod/mini'
import { allowedName, email, oneLine, severalLines } from './fields.ts'

/** An empty value is `''`, or null for numbers. */
export type SettingValue = string | number | boolean | null
export type Settings = Record<string, SettingValue>

/** The schema of these fields. The app checks the form with it, and the server checks the input. */
export function settingsSchema(fields: Record<string, SettingsField>) {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([key, field]) => {
        const value = valueOf(field)
        return [
          key,
          field.required
            ? value
            : z.optional(z.union([value, z.literal(field.type === 'number' ? null : '')])),
        ]
      }),
    ),
  ) as unknown as z.ZodMiniObject<
    Record<string, z.ZodMiniType<SettingValue, SettingValue>>,
    z.core.$strict
  >
}

function valueOf(field: SettingsField): z.ZodMiniType {
  switch (field.type) {
    case 'string':
      return words(field).check(oneLine, allowedName)
    case 'text':
      return words(field).check(severalLines)
    case 'url':
      return words(field).check(oneLine, z.regex(/^https?:\/\/[^\s/]+\S*$/))
    case 'email':
      return email.check(z.maxLength(field.maxLength))
    case 'number':
      return z.number().check(z.minimum(field.min), z.maximum(field.max))
    case 'boolean':
      return field.required ? z.literal(true) : z.boolean()
    case 'select':
      return z.enum(Object.keys(field.options))
    case 'color':
      return z.string().check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/))
  }
}

function words({ required, maxLength }: { required: boolean; maxLength: number }) {
  return z.string().check(z.trim(), z.minLength(required ? 1 : 0), z.maxLength(maxLength))
}
