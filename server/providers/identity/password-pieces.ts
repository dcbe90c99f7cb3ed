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

/**
 * How many characters somebody has to guess, if what repeats is guessed once and a stretch of a
 * row is one guess: `abcabc`, `654321` and `aaa` have one piece, `abc-99` has three.
 */
export function countPieces(text: string) {
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
