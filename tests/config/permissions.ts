import type { Permission, permissions as shipped } from '../../config/permissions.ts'

export type { Permission }

export const permissions = {
  access: { label: 'permissions.access', default: true, admin: false },
  editor: { label: 'permissions.editor', default: false, admin: false },
  admin: { label: 'permissions.admin', default: false, admin: true },
} as const satisfies Record<string, Permission>

/** Includes the shipped permissions, because product code may name them. */
export type PermissionKey = keyof (typeof permissions & typeof shipped)
