import type { MessageKey } from '#locales/keys.ts'

export type Permission = {
  label: MessageKey
  /** What somebody with this permission is called, such as "Editor". */
  role: MessageKey
  /** The role in "invites you to join as …", such as "an editor". */
  as: MessageKey
  /** One sentence about what people with this permission can do. */
  text: MessageKey
  /** Makes a person a member: every member holds it. Exactly one permission is the default. */
  default: boolean
  /** Makes a member an administrator. */
  admin: boolean
}

export const permissions = {
  access: { ...ofKey('access'), default: true, admin: false },
  editor: { ...ofKey('editor'), default: false, admin: false },
  admin: { ...ofKey('admin'), default: false, admin: true },
} as const satisfies Record<string, Permission>

export type PermissionKey = keyof typeof permissions

/** Names the permission's texts in locales/, whose keys contain its key. */
function ofKey<Key extends string>(key: Key) {
  return {
    label: `permissions.${key}.label`,
    role: `permissions.${key}.role`,
    as: `permissions.${key}.as`,
    text: `permissions.${key}.text`,
  } as const
}
