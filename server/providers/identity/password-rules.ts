import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import type { PasswordRequirement } from '#contract/refusals.ts'
import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../../platform/refusal.ts'

/** The 10,000 most common passwords, in lower case. */
const common = new Set(dictionary['passwords-common'].slice(0, 10_000))

/** Keyboards compose the same character in different ways, so NIST and OWASP advise NFKC. */
export function normalize(password: string) {
  return password.normalize('NFKC')
}

export function acceptPassword(typed: string, email: string) {
  const password = normalize(typed)
  const requirement = findUnmet(password, email)
  if (requirement) throw new Refusal('auth/password-does-not-meet-requirements', { requirement })
  return password
}

function findUnmet(password: string, email: string): PasswordRequirement | undefined {
  if (password.length < limits.passwords.minLength) return 'length'
  const text = password.trim().toLowerCase()
  if (text === '' || common.has(text)) return 'common'
  if (text === email || text === email.split('@')[0]) return 'address'
  if (lettersOf(text) === lettersOf(product.name.toLowerCase())) return 'product'
  return undefined
}

/** Removes everything after the last letter. */
function lettersOf(text: string) {
  return text.replace(/\P{L}+$/u, '')
}
