import { clean, drawable, openFonts, utf16, widthOf, type Fonts } from './fonts.ts'

/** Points from the page's lower left corner. `end`: the text ends at `x` instead of beginning there. `soft`: grey. */
export type Text = {
  x: number
  y: number
  size: number
  text: string
  bold?: boolean
  soft?: boolean
  end?: boolean
}
export type Rule = { from: number; to: number; y: number }
export type Document = {
  title: string
  language: string
  width: number
  height: number
  texts: Text[]
  rules: Rule[]
}

/**
 * One page, written by hand: a library would weigh more than the sandbox, and fonts for every script more than the product. What can't be
 * drawn as it is can still be copied and read out.
 */
export function writePdf({ title, language, width, height, texts, rules }: Document): Buffer {
  const fonts = openFonts(language)
  const content = [
    ...texts.map((text) => drawn(text, fonts)),
    ...rules.map(({ from, to, y }) => `0.85 G 0.5 w ${from} ${y} m ${to} ${y} l S`),
  ]
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  const catalog = add(
    `<< /Type /Catalog /Pages 2 0 R /Lang (${language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
  )
  add('<< /Type /Pages /Kids [3 0 R] /Count 1 >>')
  add(
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources 5 0 R >>`,
  )
  add(stream(content.join('\n')))
  add('')
  objects[4] = fonts.resources(add)
  const info = add(`<< /Title ${utf16(`\uFEFF${title}`)} >>`)
  return assemble(objects, `/Root ${catalog} 0 R /Info ${info} 0 R`)
}

function drawn({ x, y, size, text, bold, soft, end }: Text, fonts: Fonts): string {
  const at = end ? x - widthOf(text) * size : x
  const shown = fonts
    .runs(text, { bold: bold ?? false })
    .map(({ font, operand }) => `/${font} ${size} Tf ${operand} Tj`)
  const drawing = `BT ${soft ? 0.4 : 0.1} g ${at.toFixed(1)} ${y.toFixed(1)} Td ${shown.join(' ')} ET`
  return drawable(text) === clean(text)
    ? drawing
    : `/Span << /ActualText ${utf16(`\uFEFF${clean(text)}`)} >> BDC ${drawing} EMC`
}

function stream(content: string): string {
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

/** Every character is a byte. */
function assemble(objects: string[], roots: string): Buffer {
  let file = '%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} ${roots} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
