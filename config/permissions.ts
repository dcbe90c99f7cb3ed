import type { MessageKey } from '#locales/keys.ts'

export type Permission = {
  label: MessageKey
  /** Held by every member and never taken away; being listed under it is what makes a member. Exactly one permission is the default. */
  default: boolean
  /** Opens users, billing information and settings. */
  admin: boolean
}

export const permissions = {
  access: { label: 'permissions.access', default: true, admin: false },
  editor: { label: 'permissions.editor', default: false, admin: false },
  admin: { label: 'permissions.admin', default: false, admin: true },
} as const satisfies Record<string, Permission>

export type PermissionKey = keyof typeof permissions
