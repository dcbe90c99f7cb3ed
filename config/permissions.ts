import type { MessageKey } from '#locales/keys.ts'

export type Permission = {
  label: MessageKey
  /** Makes a person a member: every member holds it. Exactly one permission is the default. */
  default: boolean
  /** Makes a member an administrator. */
  admin: boolean
}

export const permissions = {
  access: { label: 'permissions.access', default: true, admin: false },
  editor: { label: 'permissions.editor', default: false, admin: false },
  admin: { label: 'permissions.admin', default: false, admin: true },
} as const satisfies Record<string, Permission>

export type PermissionKey = keyof typeof permissions
