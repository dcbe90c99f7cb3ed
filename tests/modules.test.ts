import { activityAreas } from '#contract/activity.ts'
import { calls } from '#contract/calls.ts'
import { refusals } from '#contract/refusals.ts'
import { screenEntries, screens } from '#contract/screens.ts'
import * as modules from '#modules/index.ts'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModuleContract } from '../contract/modules.ts'
import { flatten } from '../locales/find-mistakes.ts'
import type { Messages } from '../locales/translator.ts'
import { loadModules } from '../server/core/modules.ts'
import { isTableOf } from '../server/migrate/series.ts'
import { ofCore } from '../tools/new/taken.ts'
import { aDatabase } from './database.ts'
import { mailExamples } from './mail-examples.ts'

const root = join(import.meta.dirname, '..')
const contracts = Object.entries<ModuleContract>(modules)
const names = contracts.map(([name]) => name)

test('modules/index.ts lists exactly the folders in modules/', () => {
  const folders = globSync('modules/*/contract.ts', { cwd: root }).map(
    (file) => file.split('/')[1]!,
  )
  expect(folders.toSorted()).toEqual(names.toSorted())
})

test('no module has a name by which tables of the core would belong to it', () => {
  expect(names.filter(ofCore)).toEqual([])
})

test('no name in a module’s contract is one of the core’s or of another module', () => {
  const tables = { calls, screens, refusals }
  for (const [table, all] of Object.entries(tables)) {
    const ofModules = contracts.flatMap(([, contract]) =>
      Object.keys(contract[table as keyof typeof tables] ?? {}),
    )
    expect(ofModules, table).toEqual([...new Set(ofModules)])
    // A name that both have would be one row, and the core would miss its own.
    const rows = contracts.flatMap(([, contract]) =>
      Object.values(contract[table as keyof typeof tables] ?? {}),
    )
    expect(Object.values(all).filter((row) => rows.includes(row as never))).toHaveLength(
      rows.length,
    )
  }
})

test('a screen’s parent is a screen with a title, and no two screens have one path', () => {
  const parents = screenEntries.flatMap(([, { parent }]) => parent ?? [])
  expect(parents.filter((name) => !('title' in screens[name]))).toEqual([])
  const paths = screenEntries.map(([, { path }]) => path)
  expect(paths).toEqual([...new Set(paths)])
})

test('a module with a screen in the menu or an area of activity has an icon', () => {
  const icons = new Set<string>([
    ...screenEntries.flatMap(([, screen]) => (screen.title ? [screen.icon] : [])),
    ...activityAreas,
  ])
  const ofModules = names.filter((name) => icons.has(name))
  expect(ofModules.filter((name) => !existsSync(join(root, 'modules', name, 'icon.ts')))).toEqual(
    [],
  )
})

test('the words of a module replace none of the product’s', () => {
  const own = new Set(keysIn('locales/en.json'))
  for (const name of names) {
    const words = keysIn(`modules/${name}/words/en.json`)
    expect(
      words.filter((key) => own.has(key)),
      name,
    ).toEqual([])
  }
})

test('each table of a module begins with its name, and no row of it keeps a row of the core', async () => {
  const { pool } = await aDatabase()
  const { rows } = await pool.query<{ table: string; to: string; onDelete: string }>(
    `select conrelid::regclass::text "table", confrelid::regclass::text "to", confdeltype "onDelete"
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const isOf = (table: string) => names.some((name) => isTableOf(name, table))
  const toCore = rows.filter(({ table, to }) => isOf(table) && !isOf(to))
  expect(toCore.filter(({ onDelete }) => !['c', 'n'].includes(onDelete))).toEqual([])
  const made = names.flatMap((name) =>
    globSync(`modules/${name}/migrations/*.sql`, { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/create table "?(\w+)"?/gi)].map(
        ([, table]) => ({ name, table: table! }),
      ),
    ),
  )
  const stray = made.filter(({ name, table }) => !isTableOf(name, table))
  expect(stray).toEqual([])
})

test('every mail of a module has an example, which tests render', async () => {
  const { mails } = await loadModules()
  const shown = new Set<string>(mailExamples('en').map(({ mail }) => mail))
  expect(Object.keys(mails).filter((mail) => !shown.has(mail))).toEqual([])
})

function keysIn(file: string) {
  const messages = JSON.parse(readFileSync(join(root, file), 'utf8')) as Messages
  return [...flatten(messages)].map(([key]) => key)
}
