import { writePdf, type Rule, type Text } from '../pdf/document.ts'
import { wrapped } from '../pdf/wrap.ts'
import type { InvoiceShown } from './invoice-shown.ts'

const a4 = { width: 595, height: 842 }
const left = 56
const right = a4.width - left
const middle = 306
/** Where the columns of the table end: the first one begins on the left. */
const ends = [300, 356, 446, right] as const

/** On one A4 page. */
export function invoicePdf(shown: InvoiceShown, language: string): Buffer {
  const texts: Text[] = []
  const rules: Rule[] = []
  let y = a4.height - 76
  const down = (by: number) => (y -= by)
  const put = (text: string, more: Partial<Text> = {}) =>
    texts.push({ x: left, y, size: 10, text, ...more })
  const lines = (text: string, width: number, { size = 10, most = 2 } = {}) =>
    wrapped(text, { width, size, language, most })
  const rule = (from = left) => rules.push({ from, to: right, y: down(8) })

  put(shown.heading, { size: 22, bold: true })
  put(lines(shown.merchant, right - middle, { size: 14, most: 1 })[0] ?? '', {
    x: right,
    size: 14,
    bold: true,
    end: true,
  })
  down(40)

  const top = y
  for (const [name, value] of shown.facts) {
    put(name, { soft: true })
    put(value, { x: left + 110 })
    down(16)
  }
  const below = y
  y = top
  put(shown.billedTo.title, { x: middle, soft: true })
  for (const line of shown.billedTo.lines.flatMap((each) => lines(each, right - middle)))
    put(line, { x: middle, y: down(16) })
  y = Math.min(below, y - 16) - 24

  put(shown.total, { size: 18, bold: true })
  down(40)

  shown.lines.columns.forEach((name, column) =>
    put(name, { size: 8, soft: true, ...(column > 0 && { x: ends[column], end: true }) }),
  )
  rule()
  for (const { what, when, quantity, unitPrice, amount } of shown.lines.rows) {
    down(18)
    ;[quantity, unitPrice, amount].forEach((text, column) =>
      put(text, { x: ends[column + 1], end: true }),
    )
    lines(what, ends[0] - left).forEach((line, index) => put(line, { y: index ? down(14) : y }))
    put(when, { y: down(14), size: 8, soft: true })
    rule()
  }
  shown.sums.forEach(([name, amount], index) => {
    const bold = index === shown.sums.length - 1
    down(18)
    put(name, { x: middle, bold })
    put(amount, { x: right, bold, end: true })
    rule(middle)
  })
  put(shown.footer, { y: 56, size: 8, soft: true })
  return writePdf({ title: `${shown.title} · ${shown.merchant}`, language, ...a4, texts, rules })
}
