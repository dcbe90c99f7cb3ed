import { outcomeOf, type Attempt, type Journal } from './journal.ts'

export type Row = {
  what: string
  had: number
  /** Shown after the figure, such as `ms`. */
  unit?: string
  /** The most there may be, for the rehearsal to succeed. */
  must?: number
  /** The most there should be. */
  aim?: number
  /** Cases, of which the report shows some. */
  cases?: string[]
}

const shown = 8

/** A row about what must not happen. */
export function counted(what: string, cases: string[]): Row {
  return { what, had: cases.length, must: 0, cases }
}

/** Prints the rows and their cases. Returns whether every must is met. */
export function report(rows: Row[]) {
  const isMet = ({ had, must, aim }: Row) => had <= (must ?? aim ?? Infinity)
  const inRow = (row: Row) => [
    row.what,
    wanted(row),
    inUnit(row.had, row.unit),
    row.must === undefined && row.aim === undefined ? '' : isMet(row) ? 'yes' : 'NO',
  ]
  printTable(['what', 'wanted', 'had', 'met'], rows.map(inRow))
  for (const { what, cases = [] } of rows) {
    if (cases.length > 0) console.log(`\n${what}`)
    for (const text of cases.slice(0, shown)) console.log(`  ${text.slice(0, 300)}`)
    if (cases.length > shown) console.log(`  and ${cases.length - shown} more`)
  }
  return rows.every((row) => row.must === undefined || isMet(row))
}

function wanted({ must, aim, unit }: Row) {
  if (must !== undefined) return `must be ≤ ${inUnit(must, unit)}`
  return aim === undefined ? '' : `aim ≤ ${inUnit(aim, unit)}`
}

function inUnit(figure: number, unit = '') {
  return figure === Infinity ? 'never' : `${Math.round(figure)} ${unit}`.trim()
}

const outcomes = [
  'done',
  'refused',
  '503 retry',
  '503 bare',
  'haproxy 503',
  'no answer',
  '500',
  '504',
] as const

/** Prints how the requests were answered that began in each phase. */
export function printPhases(journal: Journal) {
  const rows = journal.phases.map((phase) => {
    const attempts = journal.of(phase)
    const count = (outcome: string) => attempts.filter((one) => outcomeOf(one) === outcome).length
    const longest = Math.max(0, ...attempts.map(({ ms }) => ms))
    const figures = [...outcomes.map(count), longest]
    return [phase.name, ...figures.map(String)]
  })
  printTable(['begun while', ...outcomes, 'longest, ms'], rows)
}

/** A request in words, for the list of those that something was wrong with. */
export function inWords(attempt: Attempt, journal: Journal) {
  const phase = journal.phaseAt(attempt.at)
  const after = ((attempt.at - phase.at) / 1000).toFixed(1)
  const { call, ms, status, reason = '' } = attempt
  const what = status === 0 ? 'no answer' : `${status} ${reason}`.trim()
  return `${call}: ${what} after ${ms} ms; begun ${after} s after "${phase.name}"`
}

function printTable(head: string[], rows: string[][]) {
  const widths = head.map((cell, index) =>
    Math.max(cell.length, ...rows.map((row) => row[index]!.length)),
  )
  const inLine = (cells: string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' | ')} |`
  const rule = inLine(widths.map((width) => '-'.repeat(width)))
  console.log(`\n${[inLine(head), rule, ...rows.map(inLine)].join('\n')}`)
}
