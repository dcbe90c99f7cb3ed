/**
 * Writes CSV as in RFC 4180, with every cell quoted. A byte order mark tells spreadsheets that it
 * is UTF-8. Other people wrote some of the text, and a spreadsheet may split a cell at other
 * separators than commas, so no piece of a cell may start like a formula.
 */
export function toCsv(rows: string[][]) {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(text: string) {
  const safe = text.replaceAll(/(?<=^|[;|,\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g, "'")
  return `"${safe.replaceAll('"', '""')}"`
}
