import { limits } from '#config/limits.ts'
import { product } from '#config/product.ts'
import type { PasswordRequirement } from '#contract/fields.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { IsBreached } from './breached-passwords.ts'

/** A password with fewer pieces is refused. */
const fewPieces = 5
/** Beside the person's address or the product's name, a password with fewer pieces is refused. */
const fewPiecesBeside = 4

const lettersOf: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/** Rows along which the next character is easy to guess, in both directions. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '012345678901234567890',
  '!@#$%^&*()',
  // keyboards: QWERTY, QWERTZ and AZERTY
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((row) => [row, Array.from(row).toReversed().join('')])

/** Keyboards compose the same character in different ways, so NIST and OWASP advise NFKC. */
export function normalize(password: string) {
  return password.normalize('NFKC')
}

export async function acceptPassword(typed: string, email: string, isBreached: IsBreached) {
  const password = normalize(typed)
  const requirement =
    (await findUnmet(password, email)) ?? ((await isBreached(password)) ? 'breached' : undefined)
  if (requirement) throw new Refusal('auth/password-does-not-meet-requirements', { requirement })
  return password
}

async function findUnmet(
  password: string,
  email: string,
): Promise<Exclude<PasswordRequirement, 'breached'> | undefined> {
  if (password.length < limits.passwords.minLength) return 'length'
  // NFKC can make a password many times longer, and the time to read it grows with the square.
  const text = password.slice(0, limits.passwords.maxLength).toLowerCase().replaceAll(/\s/gu, '')
  if (isCloseTo(wordsOf(email), text)) return 'address'
  if (isCloseTo([product.name.toLowerCase().replaceAll(/\s/gu, '')], text)) return 'product'
  if (countPieces(text) < fewPieces || (await isCommon(text))) return 'common'
  return undefined
}

/** Whether the text is a common password, also repeated or with a few digits and signs around. */
async function isCommon(text: string) {
  // Imports the passwords here, so that a server loads them only when somebody chooses one.
  const { default: list } = await import('./common-passwords.json', { with: { type: 'json' } })
  const listed = ` ${list.passwords} `
  const isListed = (password: string) =>
    [password, withLetters(password)].some((form) => listed.includes(` ${form} `))
  const once = text.replace(/^(.+?)\1+$/su, '$1')
  const word = withoutEnds(once)
  return (
    [text, once].some(isListed) ||
    (isListed(word) && countPieces(once.replace(word, '')) < limits.passwords.minLength)
  )
}

/** Whether the text has one of the words, and little besides. */
function isCloseTo(words: string[], text: string) {
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), text)
  return rest !== text && countPieces(withoutEnds(rest)) < fewPiecesBeside
}

/** The address and its parts, the longest first. */
function wordsOf(email: string) {
  const [name = '', domain = ''] = email.split('@')
  // Leaves out `com`, which stands before a country too.
  const labels = domain
    .split('.')
    .slice(0, -1)
    .filter(({ length }) => length > 3)
  return [email, domain, name, ...name.split(/\P{L}+/u), ...labels]
    .filter(({ length }) => length >= 3)
    .toSorted((one, other) => other.length - one.length)
}

/** Replaces signs and digits that people write for a letter, as in `p@ssw0rd`. */
function withLetters(text: string) {
  return text.replaceAll(/./gu, (sign) => lettersOf[sign] ?? sign)
}

/** Removes everything before the first letter and after the last. */
function withoutEnds(text: string) {
  return text.replaceAll(/^\P{L}+|\P{L}+$/gu, '')
}

/**
 * How many characters somebody has to guess, if what repeats is guessed once and a stretch of a
 * row is one guess: `abcabc`, `654321` and `aaa` have one piece, `abc-99` has three.
 */
function countPieces(text: string) {
  let rest = removeRepeats(text)
  let pieces = 0
  for (; rest !== ''; pieces++) rest = rest.slice(stretchOf(rest))
  return pieces
}

/** Leaves one of what stands several times in a row. */
function removeRepeats(text: string): string {
  const shorter = text.replaceAll(/(.+?)\1+/gsu, '$1')
  return shorter === text ? text : removeRepeats(shorter)
}

/** How far the text follows a row, at least the length of its first character. */
function stretchOf(text: string) {
  let length = 3
  if (!isOnARow(text.slice(0, length))) return text.codePointAt(0)! > 0xffff ? 2 : 1
  while (length < text.length && isOnARow(text.slice(0, length + 1))) length++
  return length
}

function isOnARow(stretch: string) {
  return stretch.length >= 3 && rows.some((row) => row.includes(stretch))
}
