import type { PermissionKey } from '#config/permissions.ts'
import { adminPermissions } from '#contract/access.ts'
import type { Fact } from './fact.ts'
import type { Stream } from './stream.ts'

/** Somebody with open tabs at this server. */
export type Person = {
  id: string
  /** Once it is verified. */
  email: string | undefined
  /** Those they are in, and whether as an administrator. */
  projects: Map<string, boolean>
  /** The oldest first. */
  streams: Set<Stream>
  /** Whether address and projects are what they are now, or will be when they have been read. */
  isCurrent: boolean
  reading: Promise<void> | undefined
}

export function newPerson(id: string): Person {
  return {
    id,
    email: undefined,
    projects: new Map(),
    streams: new Set(),
    isCurrent: false,
    reading: undefined,
  }
}

/** Whom a change concerns is told of it, and nobody else. */
export function concerns(person: Person, fact: Fact) {
  switch (fact.what) {
    case 'members':
      return fact.user === person.id || person.projects.has(fact.project)
    case 'invites':
      return fact.email === person.email || person.projects.get(fact.project) === true
    case 'subscription':
      return person.projects.has(fact.project)
    case 'invoices':
      return person.projects.get(fact.project) === true
    case 'user':
      return fact.user === person.id
    case 'session':
      return false
  }
}

export function isAdminWith(permissions: readonly PermissionKey[]) {
  return permissions.some((key) => adminPermissions.includes(key))
}
