import { expect, test } from 'vitest'
import { shown, shownLines } from './terminal.ts'
import { openLogger } from './log.ts'

test.each([
  ['an escape sequence', '\u001B]0;title\u0007', String.raw`\u001b]0;title\u0007`],
  ['an escape sequence in one character', '\u009B31m', String.raw`\u009b31m`],
  ['a deleted character', 'a\u007Fb', String.raw`a\u007fb`],
  ['text that turns around', '\u202Etxt.exe', String.raw`\u202etxt.exe`],
  ['an invisible tag', '\u{E0041}', String.raw`\udb40\udc41`],
  ['new lines', 'a\r\nb\u2028c', String.raw`a\u000d\u000ab\u2028c`],
  ['nothing of the kind', 'Zoë 王小明 👩🏽 \\u001b', 'Zoë 王小明 👩🏽 \\u001b'],
])('at a terminal, %s is shown as text', (_, text, seen) => expect(shown(text)).toBe(seen))

test('text of several lines keeps them', () =>
  expect(shownLines('one\n\ttwo\u001B')).toBe('one\n\\u0009two\\u001b'))

test('lines of the log hold control characters as escapes, and say the same', () => {
  const lines: string[] = []
  const log = openLogger('info', { write: (line) => void lines.push(line) })
  log.info({ reason: 'no\u009B31m\u001B\u007F' }, 'failed\u202E')
  expect(lines.join('')).toMatch(/^[ -~]+\n$/)
  expect(JSON.parse(lines[0]!)).toMatchObject({
    reason: 'no\u009B31m\u001B\u007F',
    msg: 'failed\u202E',
  })
})
