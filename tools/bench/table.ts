import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Row = {
  name: string
  /** Shown after the figures, such as `ms`. */
  unit?: string
  floor?: number
  ours: number
  /** The aim, of the ratio of ours to the floor, or of ours if there is no floor. */
  least?: number
  most?: number
  /** Ours, with which the aim is met too, whatever the ratio is. */
  enough?: number
}

const rows: Row[] = []

/** Adds a row to the table, and says at once what it is. */
export function note(row: Row) {
  rows.push(row)
  const { name, aim, floor, ours, ratio } = inWords(row)
  console.log(
    `${name}: ${ours}${floor && `, floor ${floor}`}${ratio && `, ratio ${ratio}`}${aim && ` (aim ${aim})`}`,
  )
}

const columns = ['name', 'aim', 'floor', 'ours', 'ratio', 'met'] as const

export function table() {
  const lines = [
    Object.fromEntries(columns.map((column) => [column, column])),
    ...rows.map(inWords),
  ]
  const widthOf = (column: string) => Math.max(...lines.map((line) => line[column]!.length))
  const inLine = (cells: string[]) => `| ${cells.join(' | ')} |`
  const [head, ...body] = lines.map((line) =>
    inLine(columns.map((column) => line[column]!.padEnd(widthOf(column)))),
  )
  const rule = inLine(columns.map((column) => '-'.repeat(widthOf(column))))
  return [head, rule, ...body].join('\n')
}

/** Replaces the table in docs/performance.md. */
export function writeTable() {
  const page = join(import.meta.dirname, '..', '..', 'docs', 'performance.md')
  writeFileSync(page, readFileSync(page, 'utf8').replace(/^\|[^]*\|$/m, table))
}

function inWords({
  name,
  unit = '',
  floor,
  ours,
  least,
  most,
  enough,
}: Row): Record<string, string> {
  const ratio = floor === undefined ? undefined : ours / floor
  const judged = ratio ?? ours
  const shown = (figure: number | undefined) =>
    figure === undefined ? '' : `${rounded(figure)}${unit && ` ${unit}`}`
  const aim =
    least === undefined ? most !== undefined && `≤ ${most}` : least !== undefined && `≥ ${least}`
  const isMet =
    (judged >= (least ?? -Infinity) && judged <= (most ?? Infinity)) ||
    ours <= (enough ?? -Infinity)
  return {
    name,
    aim: aim
      ? `${aim}${ratio === undefined && unit ? ` ${unit}` : ''}${enough === undefined ? '' : ` or ${shown(enough)}`}`
      : '',
    floor: shown(floor),
    ours: shown(ours),
    ratio: ratio === undefined ? '' : ratio.toFixed(2),
    met: aim ? (isMet ? 'yes' : 'no') : '',
  }
}

function rounded(figure: number) {
  return figure >= 100 ? figure.toFixed(0) : figure.toFixed(figure >= 10 ? 1 : 2)
}
