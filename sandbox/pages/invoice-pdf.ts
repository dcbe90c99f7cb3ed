import { dayOf, money } from '../billing/lines.ts'
import type { Invoice } from '../objects/wire.ts'
import { statusWords, toLines, totals } from './invoice-words.ts'

type Text = { x: number; y: number; size: number; text: string; right?: boolean }

const page = { width: 595, height: 842, margin: 56 }

/** One A4 page, written by hand: a library would weigh more than the sandbox. Characters outside Latin-1 become `?`. */
export function invoicePdf(invoice: Invoice): Buffer {
  const texts = textsOf(invoice)
  const content = texts.map(({ x, y, size, text, right }) => {
    const at = right ? x - widthOf(text, size) : x
    return `BT /F1 ${size} Tf ${at.toFixed(1)} ${y} Td (${text.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj ET`
  })
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${Buffer.byteLength(latin(content.join('\n')), 'latin1')} >>\nstream\n${latin(content.join('\n'))}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ])
}

function textsOf(invoice: Invoice): Text[] {
  const left = page.margin
  const right = page.width - page.margin
  let y = page.height - page.margin - 20
  const texts: Text[] = [{ x: left, y, size: 20, text: invoice.account_name ?? '' }]
  const down = (by: number) => (y -= by)
  const line = (text: string, size = 10) => texts.push({ x: left, y: down(size * 1.6), size, text })
  const pair = (text: string, amount: number) => {
    line(text)
    texts.push({ x: right, y, size: 10, text: money(amount, invoice.currency), right: true })
  }
  down(12)
  line(`Invoice ${invoice.number}`, 13)
  line(`${dayOf(invoice.created)} - ${statusWords(invoice)}`)
  down(12)
  for (const text of toLines(invoice)) line(text)
  down(16)
  for (const { description, amount, period } of invoice.lines.data) {
    pair(description ?? '', amount)
    line(`${dayOf(period.start)} - ${dayOf(period.end)}`, 8)
  }
  down(12)
  for (const [name, amount] of totals(invoice)) pair(name, amount)
  return texts
}

/** Helvetica's digits and signs in amounts; near enough to align them on the right. */
function widthOf(text: string, size: number): number {
  return text.split('').reduce((sum, letter) => sum + (',.'.includes(letter) ? 0.278 : letter === '-' ? 0.333 : 0.556), 0) * size
}

function latin(text: string): string {
  return text.replaceAll(/[^\n\x20-\x7e\xa0-\xff]/g, '?')
}

function assemble(objects: string[]): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
