import { expect, test } from 'vitest'
import { brandOf, isWhole, judge, rewritten, write } from '../pages/assets/card-text.js'

/** `|` marks the caret. */
function typing(
  field: 'number' | 'expiry' | 'cvc',
  before: string,
  now: string,
  inputType = 'insertText',
) {
  const { text, caret } = rewritten(
    before.replace('|', ''),
    { value: now.replace('|', ''), caret: now.indexOf('|'), inputType },
    write[field],
  )
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}

test.each([
  ['4242|', '42424|', '4242 4|'],
  ['', '4242-4242 42424242|', '4242 4242 4242 4242|'],
  ['4242 4242|', '4242 x4242|', '4242 4242|'],
  ['42|42 4242', '429|42 4242', '429|4 2424 2'],
  ['4242| 4242', '42429| 4242', '4242 9|424 2'],
  ['', '378282246310005|', '3782 822463 10005|'],
])('a card number’s digits are grouped when typed or pasted: %s, then %s', (before, now, shown) => {
  expect(typing('number', before, now)).toBe(shown)
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
    expect(typing('number', before, now, inputType)).toBe(shown)
  },
)

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
  expect(typing('expiry', '', typed)).toBe(shown)
})

test('deleting the last digit of the year deletes the slash before it', () => {
  expect(typing('expiry', '12 / 3|', '12 / |', 'deleteContentBackward')).toBe('12|')
})

test.each([
  ['number', '', '', 'Missing'],
  ['number', '4242 4242 4242 4242', '', ''],
  ['number', '4242 4242 4242 4241', '', 'Wrong'],
  ['number', '4242 4242 4242 424', '', 'Wrong'],
  ['number', '3782 822463 10005', '', ''],
  ['number', '3056 930009 020004', '', ''],
  ['number', '6200 0000 0000 0005', '', ''],
  ['expiry', '', '', 'Missing'],
  ['expiry', '11 / 26', '', ''],
  ['expiry', '10 / 26', '', 'Over'],
  ['expiry', '12 / 2025', '', 'Over'],
  ['expiry', '01 / 2076', '', ''],
  ['expiry', '01 / 77', '', 'Wrong'],
  ['expiry', '13 / 30', '', 'Wrong'],
  ['expiry', '12 / 203', '', 'Wrong'],
  ['cvc', '', '4242', 'Missing'],
  ['cvc', '123', '4242', ''],
  ['cvc', '123', '3782', 'Wrong'],
  ['cvc', '1234', '3782', ''],
] as const)(
  'in November 2026, the %s “%s” of the card %s is judged “%s”',
  (field, text, of, is) => {
    expect(judge[field](text, of, new Date('2026-11-27'))).toBe(is)
  },
)

test('a brand is known by the first digits of a number, and a number that may go on is not whole', () => {
  const typed = ['4', '51', '2720', '34', '6011', '36', '3528', '62', '3', '9']
  expect(typed.map(brandOf).join(' ')).toBe(
    'visa mastercard mastercard amex discover diners jcb unionpay  ',
  )
  expect(isWhole('number', '4242 4242 4242 4242')).toBe(true)
  expect(isWhole('number', '3782 822463 10005')).toBe(true)
  expect(isWhole('number', '3056 930902 5904')).toBe(false)
  expect(isWhole('expiry', '12 / 34')).toBe(true)
  expect(isWhole('cvc', '123')).toBe(false)
})
