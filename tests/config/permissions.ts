import type { Permission, permissions as shipped } from '../../config/permissions.ts'

export type { Permission }

const own = {
  access: { ...ofKey('access'), default: true, admin: false },
  editor: { ...ofKey('editor'), default: false, admin: false },
  admin: { ...ofKey('admin'), default: false, admin: true },
} as const satisfies Record<string, Permission>

/** Includes the shipped permissions, because product code may name them. */
export type PermissionKey = keyof (typeof own & typeof shipped)

export const permissions = own as Record<PermissionKey, Permission>

function ofKey<Key extends string>(key: Key) {
  return {
    label: `permissions.${key}.label`,
    role: `permissions.${key}.role`,
    as: `permissions.${key}.as`,
    text: `permissions.${key}.text`,
  } as const
}
