import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import type { PasswordRequirement } from '#contract/refusals.ts'
import { Refusal } from '../../platform/refusal.ts'

/** Keyboards compose the same character in different ways, so NIST and OWASP advise NFKC. */
export function normalize(password: string) {
  return password.normalize('NFKC')
}

export async function acceptPassword(typed: string, email: string) {
  const password = normalize(typed)
  const requirement = await findUnmet(password, email)
  if (requirement) throw new Refusal('auth/password-does-not-meet-requirements', { requirement })
  return password
}

async function findUnmet(
  password: string,
  email: string,
): Promise<PasswordRequirement | undefined> {
  if (password.length < limits.passwords.minLength) return 'length'
  const text = password.trim().toLowerCase()
  // Imports the passwords here, so that a server loads them only when somebody chooses one.
  const { common } = await import('./common-passwords.ts')
  if (text === '' || common.has(text)) return 'common'
  if (text === email || text === email.split('@')[0]) return 'address'
  if (lettersOf(text) === lettersOf(product.name.toLowerCase())) return 'product'
  return undefined
}

/** Removes everything after the last letter. */
function lettersOf(text: string) {
  return text.replace(/\P{L}+$/u, '')
}
