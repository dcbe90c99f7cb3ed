import { expect, test } from 'vitest'
import { grouped, monthAndYear, rewritten, type Write } from '../client/components/typed-digits.ts'

const asVisa: Write = (digits) => grouped(digits, [4, 8, 12])
const asAmex: Write = (digits) => grouped(digits, [4, 10])

/** `|` marks the caret. */
function typing(write: Write, before: string, now: string, inputType = 'insertText') {
  const { text, caret } = rewritten(
    before.replace('|', ''),
    { value: now.replace('|', ''), caret: now.indexOf('|'), inputType },
    write,
  )
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}

test.each([
  ['4242|', '42424|', '4242 4|'],
  ['', '4242-4242 42424242|', '4242 4242 4242 4242|'],
  ['4242 4242|', '4242 x4242|', '4242 4242|'],
  ['42|42 4242', '429|42 4242', '429|4 2424 2'],
  ['4242| 4242', '42429| 4242', '4242 9|424 2'],
])('a card number’s digits are grouped when typed or pasted: %s, then %s', (before, now, shown) => {
  expect(typing(asVisa, before, now)).toBe(shown)
})

test.each([
  ['4242 4242|', '4242 424|', 'deleteContentBackward', '4242 424|'],
  ['4242 4|', '4242 |', 'deleteContentBackward', '4242|'],
  ['42|42 4242', '4|42 4242', 'deleteContentBackward', '4|424 242'],
  ['4242 |9242', '4242|9242', 'deleteContentBackward', '424|9 242'],
  ['4242| 9242', '4242|9242', 'deleteContentForward', '4242| 242'],
  ['|4242 4242', '|', 'deleteByCut', '|'],
])(
  'a deletion from the card number %s leaves the caret after the same digit',
  (before, now, inputType, shown) => {
    expect(typing(asVisa, before, now, inputType)).toBe(shown)
  },
)

test('an American Express number is shown in groups of four, six and five digits', () => {
  expect(typing(asAmex, '', '378282246310005|')).toBe('3782 822463 10005|')
})

test.each([
  ['12|', '12|'],
  ['123|', '12 / 3|'],
  ['12/34|', '12 / 34|'],
  ['12/2034|', '12 / 2034|'],
  ['1234|', '12 / 34|'],
  ['5|', '05|'],
  ['5/34|', '05 / 34|'],
  ['13|', '01 / 3|'],
])('an expiry date typed as %s is shown as %s', (typed, shown) => {
  expect(typing(monthAndYear, '', typed)).toBe(shown)
})

test('deleting the last digit of the year deletes the slash before it', () => {
  expect(typing(monthAndYear, '12 / 3|', '12 / |', 'deleteContentBackward')).toBe('12|')
})
