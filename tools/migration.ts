// npm run migration: writes the next migration of the core, or of a module.
import { generateDrizzleJson, generateMigration, type DrizzleSnapshotJSON } from 'drizzle-kit/api'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readArguments } from '../scripts/commands.mjs'
import { fail, root } from '../scripts/install.mjs'

type Entry = { idx: number; version: string; when: number; tag: string; breakpoints: boolean }

/** Writes what the tables have and the folder's migrations don't make yet. */
export async function writeMigration(name: string, { tables, folder }: typeof ofCore) {
  const meta = join(folder, 'meta')
  const journal = join(meta, '_journal.json')
  const { entries } = existsSync(journal)
    ? await readJson<{ entries: Entry[] }>(journal)
    : { entries: [] }
  const former = entries.at(-1)
  const formerSnapshot = join(meta, `${numbered(former?.idx ?? 0)}_snapshot.json`)
  const made = existsSync(formerSnapshot)
    ? await readJson<DrizzleSnapshotJSON>(formerSnapshot)
    : generateDrizzleJson({})
  const wanted = generateDrizzleJson((await import(tables)) as Record<string, unknown>, made.id)
  const statements = await generateMigration(made, wanted)

  const idx = (former?.idx ?? 0) + 1
  const tag = `${numbered(idx)}_${name}`
  const file = join(folder, `${tag}.sql`)
  // Code that works with the tables of the former migration works with what this one adds.
  const since = former
    ? (await readFile(join(folder, `${former.tag}.sql`), 'utf8')).split('\n', 1)[0]!
    : `-- Works with code since: ${numbered(idx)}`
  // Servers before 0024 take the latest time for the newest migration.
  const when = Math.max(Date.now(), (former?.when ?? 0) + 1)
  await mkdir(meta, { recursive: true })
  await writeFile(file, `${since}\n${statements.join('--> statement-breakpoint\n')}`)
  await writeJson(join(meta, `${numbered(idx)}_snapshot.json`), wanted)
  const all = [...entries, { idx, version: '7', when, tag, breakpoints: true }]
  await writeJson(journal, { version: '7', dialect: 'postgresql', entries: all })
  await rm(formerSnapshot, { force: true })
  return { file, since, isEmpty: statements.length === 0 }
}

function numbered(idx: number) {
  return String(idx).padStart(4, '0')
}

async function readJson<Content>(file: string) {
  return JSON.parse(await readFile(file, 'utf8')) as Content
}

async function writeJson(file: string, content: unknown) {
  await writeFile(file, JSON.stringify(content, null, 2))
}

const ofCore = {
  tables: join(root, 'server/store/schema.ts'),
  folder: join(root, 'server/migrate/migrations'),
}

function ofModule(name: string) {
  const folder = join(root, 'modules', name)
  return { tables: join(folder, 'tables.ts'), folder: join(folder, 'migrations') }
}

if (import.meta.main) {
  const { name, module } = readArguments('migration', process.argv.slice(2)).values
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name ?? ''))
    fail('Name the migration by small letters, digits and hyphens: --name NAME')
  const place = module === undefined ? ofCore : ofModule(module)
  if (!existsSync(place.tables)) fail(`There is no file ${relative(root, place.tables)}.`)
  const { file, since, isEmpty } = await writeMigration(name!, place)
  const todo = isEmpty ? ' The tables are as before: write your own statements.' : ''
  console.log(`Wrote ${relative(root, file)}.${todo}`)
  console.log(
    `Code since ${since.slice(-4)} works with the tables after it. CONTRIBUTING.md, “A table”, says when that is wrong.`,
  )
}
