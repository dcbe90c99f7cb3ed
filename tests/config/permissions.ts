import type { Permission, permissions as shipped } from '../../config/permissions.ts'

export type { Permission }

export const permissions = {
  access: { label: 'permissions.access', default: true, admin: false },
  editor: { label: 'permissions.editor', default: false, admin: false },
  admin: { label: 'permissions.admin', default: false, admin: true },
} as const satisfies Record<string, Permission>

/** Product code may name a permission that the tests' people never hold. */
export type PermissionKey = keyof (typeof permissions & typeof shipped)
