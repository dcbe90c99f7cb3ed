import { permissions as shipped, type Permission } from '../../config/permissions.ts'

export type { Permission }

const own = {
  access: { ...ofKey('access'), default: true, admin: false },
  editor: { ...ofKey('editor'), default: false, admin: false },
  admin: { ...ofKey('admin'), default: false, admin: true },
} as const satisfies Record<string, Permission>

/** Includes the shipped permissions, because product code may name them. */
export type PermissionKey = keyof (typeof own & typeof shipped)

export const permissions = own as Record<PermissionKey, Permission>

// Rows may ask for a permission that only the shipped configuration has. It stands in no list, so
// that tests list the same everywhere.
for (const [key, value] of Object.entries<Permission>(shipped))
  if (!(key in own)) Object.defineProperty(own, key, { value })

function ofKey<Key extends string>(key: Key) {
  return {
    label: `permissions.${key}.label`,
    role: `permissions.${key}.role`,
    as: `permissions.${key}.as`,
    text: `permissions.${key}.text`,
  } as const
}
