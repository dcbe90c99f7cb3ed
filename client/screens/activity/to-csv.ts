/**
 * Comma-separated, as RFC 4180 has it, with every cell quoted; the mark at its start tells spreadsheets that it is UTF-8. A cell may hold
 * what somebody else wrote, and a spreadsheet that separates by something else than commas splits it there: no piece of it may begin as a
 * formula does.
 */
export function toCsv(rows: string[][]) {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(text: string) {
  const safe = text.replaceAll(/(?<=^|[;|,\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g, "'")
  return `"${safe.replaceAll('"', '""')}"`
}
