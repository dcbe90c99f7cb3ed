import { formatMoney } from '#contract/money.ts'
import { shown } from '../../server/platform/terminal.ts'

type Fields = Record<string, unknown>

/** Lays values out for people: fields below each other, lists of things as tables. */
export function inWords(answer: Fields): string {
  const { said, ...fields } = answer
  return typeof said === 'string' ? shown(said) : sections(fields).join('\n\n')
}

function sections(fields: Fields): string[] {
  const entries = Object.entries(fields)
  const flat = entries.filter(([, value]) => !isTable(value) && !isNested(value))
  const width = Math.max(0, ...flat.map(([name]) => spaced(name).length))
  const lines = flat.map(([name, value]) =>
    `${spaced(name).padEnd(width)}  ${cell(value)}`.trimEnd(),
  )
  return [
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...entries.flatMap(([name, value]) => {
      if (isTable(value)) return [`${heading(name)}\n${table(value)}`]
      return isNested(value) ? [`${heading(name)}\n${sections(value).join('\n')}`] : []
    }),
  ]
}

function table(rows: Fields[]) {
  if (rows.length === 0) return '(none)'
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const used = names.filter((name) => rows.some((row) => cell(row[name]) !== ''))
  const cells = [used.map(heading), ...rows.map((row) => used.map((name) => cell(row[name])))]
  const widths = used.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return inUtc(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(cell).join(', ')
  if (isMoney(value)) return formatMoney(value.amount, value.currency)
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, part]) => `${name} ${cell(part)}`)
      .join(', ')
  return shown(typeof value === 'number' ? String(value) : (value as string))
}

export function inUtc(time: Date) {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function isTable(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null)
}

function isNested(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !isMoney(value)
  )
}

function isMoney(value: object): value is { amount: number; currency: string } {
  return Object.keys(value).join() === 'amount,currency'
}

/** `userAgent` becomes `user agent`. */
function spaced(name: string) {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function heading(name: string) {
  return spaced(name).toUpperCase()
}
