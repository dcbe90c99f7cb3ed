import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from '../client/screens/activity/to-csv.ts'

test('every cell is quoted, and its own quotes are doubled', () => {
  expect(toCsv([['time', 'a "b"', 'c, d\r\ne', '']])).toBe(
    '\uFEFF"time","a ""b""","c, d\r\ne",""\r\n',
  )
})

test.each(['=1+1', ' =1+1', '\u00A0@a', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '"=1+1'])(
  'a cell that begins as a formula does is text: %j',
  (text) => {
    expect(toCsv([[text]])).toBe(`\uFEFF"'${text.replaceAll('"', '""')}"\r\n`)
  },
)

/** Cells that try to make a spreadsheet run a formula. */
const active = fc.constantFrom(...Array.from('=+-@＝＋－＠;|,\t\r\n "\'a1\u00A0'))
const piece = fc.oneof({ weight: 3, arbitrary: active }, fc.string({ maxLength: 2 }))
const cell = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
const row = fc.array(cell, { minLength: 1, maxLength: 4 })

test('no piece of the file begins like a formula, at any separator, with quotes or without', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), (rows) => {
      const text = toCsv(rows).slice(1)
      for (const separator of [';', ',', '\t', '|'])
        for (const line of text.split(/[\r\n]/))
          for (const piece of line.split(separator))
            expect(piece.replace(/^[\s"]+/, '')).not.toMatch(/^[=+\-@＝＋－＠]/)
    }),
    { numRuns: 3000 },
  )
})
