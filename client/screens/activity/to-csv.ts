/** Comma-separated, as RFC 4180 has it; the mark at its start tells spreadsheets that it is UTF-8. */
export function toCsv(rows: string[][]) {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(text: string) {
  // A spreadsheet would take it for a formula, and somebody else may have written it.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
