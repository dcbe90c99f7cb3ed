import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from '../client/screens/activity/to-csv.ts'

test('a CSV file quotes every cell and doubles the quotes in it', () => {
  expect(toCsv([['time', 'a "b"', 'c, d\r\ne', '']])).toBe(
    '\uFEFF"time","a ""b""","c, d\r\ne",""\r\n',
  )
})

test.each(['=1+1', ' =1+1', '\u00A0@a', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '"=1+1'])(
  'a CSV file turns a cell that begins like a formula into text: %j',
  (text) => {
    expect(toCsv([[text]])).toBe(`\uFEFF"'${text.replaceAll('"', '""')}"\r\n`)
  },
)

/** Characters that may make a spreadsheet run a cell as a formula. */
const active = fc.constantFrom(...Array.from('=+-@＝＋－＠;|,\t\r\n "\'a1\u00A0'))
const piece = fc.oneof({ weight: 3, arbitrary: active }, fc.string({ maxLength: 2 }))
const cell = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
const row = fc.array(cell, { minLength: 1, maxLength: 4 })

test('a CSV file has no field that begins like a formula, whether a program splits it at semicolons, commas, tabs or bars', () => {
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
