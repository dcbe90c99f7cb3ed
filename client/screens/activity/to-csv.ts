/**
 * CSV as RFC 4180 describes it, with every cell quoted and a byte order mark, which tells
 * spreadsheets that it is UTF-8. Other people write some of the cells, and a spreadsheet may split
 * a cell at other separators than commas, so no piece of a cell may start like a formula.
 */
export function toCsv(rows: string[][]) {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(text: string) {
  const safe = text.replaceAll(/(?<=^|[;|,\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g, "'")
  return `"${safe.replaceAll('"', '""')}"`
}
