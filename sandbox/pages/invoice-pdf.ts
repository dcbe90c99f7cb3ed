import type { PDFFont } from '@cantoo/pdf-lib'
import type { InvoiceShown } from './invoice-shown.ts'

const a4 = { width: 595, height: 842 }
const left = 56
const right = a4.width - left
const middle = 306
/** The x positions at which the table's columns end. */
const ends = [300, 356, 446, right] as const

type Style = { x?: number; size?: number; bold?: boolean; soft?: boolean; end?: boolean }

/**
 * The invoice as a PDF with one A4 page, in the standard fonts of PDF readers. These fonts have
 * only Latin letters. Other characters become `?`.
 */
export async function invoicePdf(shown: InvoiceShown, mark?: Uint8Array): Promise<Uint8Array> {
  // Loads the library only for the first PDF, because loading it is slow.
  const { PDFDocument, StandardFonts, breakTextIntoLines, grayscale } =
    await import('@cantoo/pdf-lib')
  const document = await PDFDocument.create()
  document.setTitle(`${shown.title} · ${shown.merchant}`, { showInWindowTitleBar: true })
  document.setLanguage('en')
  const regular = await document.embedFont(StandardFonts.Helvetica)
  const heavy = await document.embedFont(StandardFonts.HelveticaBold)
  const latin = latinIn(regular)
  const sheet = document.addPage([a4.width, a4.height])
  let y = a4.height - 76

  function put(text: string, { x = left, size = 10, bold, soft, end }: Style = {}) {
    const font = bold ? heavy : regular
    const drawn = latin(text)
    const at = end ? x - font.widthOfTextAtSize(drawn, size) : x
    sheet.drawText(drawn, { x: at, y, size, font, color: grayscale(soft ? 0.4 : 0.1) })
  }

  /** Wraps the text into at most three lines. */
  function lines(text: string, width: number) {
    const widthOf = (part: string) => regular.widthOfTextAtSize(part, 10)
    return breakTextIntoLines(latin(text), [' ', '-', '.', '@'], width, widthOf).slice(0, 3)
  }

  function rule(from = left) {
    y -= 8
    const line = { start: { x: from, y }, end: { x: right, y } }
    sheet.drawLine({ ...line, thickness: 0.5, color: grayscale(0.85) })
  }

  put('Invoice', { size: 22, bold: true })
  put(shown.merchant, { x: right, size: 14, bold: true, end: true })
  if (mark) {
    const x = right - heavy.widthOfTextAtSize(latin(shown.merchant), 14) - 32
    sheet.drawImage(await document.embedPng(mark), { x, y: y - 7, width: 24, height: 24 })
  }
  y -= 40
  const top = y
  for (const [name, value] of Object.entries(shown.facts)) {
    const names = lines(name, 100)
    const values = lines(value, middle - left - 120)
    for (let row = 0; row < Math.max(names.length, values.length); row++) {
      put(names[row] ?? '', { soft: true })
      put(values[row] ?? '', { x: left + 110 })
      y -= 16
    }
  }
  const below = y
  y = top
  for (const [title, all] of [
    ['From', shown.seller],
    ['Billed to', shown.billedTo],
  ] as const) {
    put(title, { x: middle, soft: true })
    for (const line of all.flatMap((each) => lines(each, right - middle))) {
      y -= 16
      put(line, { x: middle })
    }
    y -= 26
  }
  y = Math.min(below, y) - 14
  put(shown.total, { size: 18, bold: true })
  y -= 40

  shown.columns.forEach((name, column) =>
    put(name, { size: 8, soft: true, ...(column > 0 && { x: ends[column]!, end: true }) }),
  )
  rule()
  for (const { what, when, quantity, unitPrice, amount } of shown.rows) {
    y -= 18
    ;[quantity, unitPrice, amount].forEach((text, column) =>
      put(text, { x: ends[column + 1]!, end: true }),
    )
    for (const line of lines(what, ends[0] - left)) {
      put(line)
      y -= 14
    }
    put(when, { size: 8, soft: true })
    rule()
  }
  shown.sums.forEach(({ name, amount }, index) => {
    const bold = index === shown.sums.length - 1
    y -= 18
    put(name, { x: middle, bold })
    put(amount, { x: right, bold, end: true })
    rule(middle)
  })
  const noteLines = shown.note.split('\n').flatMap((line) => lines(line, right - left))
  y = 56 + 14 * noteLines.length
  for (const line of noteLines) {
    put(line, { soft: true })
    y -= 14
  }
  put(`${shown.footer} Characters shown as ? are on the invoice's page.`, { size: 8, soft: true })
  return document.save()
}

/** Replaces characters that the font lacks by `?`. The library would throw on them. */
function latinIn(font: PDFFont) {
  const known = new Set(font.getCharacterSet())
  return (text: string) =>
    Array.from(text, (character) => (known.has(character.codePointAt(0)!) ? character : '?')).join(
      '',
    )
}
