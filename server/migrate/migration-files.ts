import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../platform/start-error.ts'
import { core, type Series } from './series.ts'

/** `name` is like `0018_name`. */
export type Named = { series: string; name: string }

export type Migration = Named & {
  /** The time in the journal. */
  when: number
  text: string
  hash: string
  /** The number of the newest migration that code must know to work with the schema after it. */
  oldestCode: string
}

export function numberOf({ name }: Pick<Named, 'name'>) {
  return name.slice(0, 4)
}

/** Like `0018`, and `boats 0001` for a module's. */
export function labelOf({ series, name }: Named) {
  return titleOf({ series, name: numberOf({ name }) })
}

/** Like `0018_name`, and `boats 0001_name` for a module's. */
export function titleOf({ series, name }: Named) {
  return series === core ? name : `${series} ${name}`
}

/** Reads all migrations, those of one series together and in their order. */
export async function readMigrations(all: Series[]): Promise<Migration[]> {
  return (await Promise.all(all.map(readSeries))).flat()
}

async function readSeries({ name: series, folder }: Series) {
  const journal = await readFile(join(folder, 'meta', '_journal.json'), 'utf8')
  const { entries } = JSON.parse(journal) as { entries: { tag: string; when: number }[] }
  return Promise.all(
    entries.map(async ({ tag: name, when }) => {
      const text = await readFile(join(folder, `${name}.sql`), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      const oldestCode = oldestCodeOf({ series, name }, text)
      return { series, name, when, text, hash, oldestCode }
    }),
  )
}

function oldestCodeOf(named: Named, text: string) {
  const oldestCode = /^-- Works with code since: (\d{4})$/.exec(text.split('\n', 1)[0]!)?.[1]
  if (oldestCode !== undefined && oldestCode <= numberOf(named)) return oldestCode
  throw new StartError(
    `The migration ${titleOf(named)} must begin with the line "-- Works with code since: NNNN", where NNNN is its own number or a lower one. CONTRIBUTING.md says how to choose it.`,
  )
}

export function includes(list: Named[], { series, name }: Named) {
  return list.some((other) => other.series === series && other.name === name)
}
