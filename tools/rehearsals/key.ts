import { newKey, openSecrets, parseKeys } from '../../server/platform/secrets.ts'

/** The SECRET_KEY of all servers of a rehearsal. */
export const secretKey = newKey()

const secrets = openSecrets(parseKeys(secretKey)!)

/** The text of a kept mail. Servers of former versions do not seal it. */
export function textOf(kept: string) {
  return secrets.open('kept mail', kept) ?? kept
}
