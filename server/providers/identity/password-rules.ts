import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import type { PasswordRequirement } from '#contract/refusals.ts'
import { dictionary } from '@zxcvbn-ts/language-common'
import { Refusal } from '../../platform/refusal.ts'

/** The most common first, all in lower case. */
const common = new Set(dictionary['passwords-common'].slice(0, 10_000))

/**
 * The same text however a keyboard composes it, as NIST and OWASP advise. NFKC also unites the
 * full-width and half-width characters of East Asian keyboards.
 */
export function normalize(password: string) {
  return password.normalize('NFKC')
}

/** Refuses a new password that breaks a rule, and returns the others normalized. */
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

/** Without digits and signs at the end. */
function lettersOf(text: string) {
  return text.replace(/\P{L}+$/u, '')
}
