import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import journal from '../server/migrate/migrations/meta/_journal.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sentence = z.string().check(z.regex(/^\S.*[.:]$/))
const form = z.strictObject({
  variables: z.record(z.string(), sentence),
  migrations: z.array(z.string()),
  codemods: z.array(z.string()),
  look: z.array(sentence),
})
const upgrades = readdirSync(join(root, 'upgrades')).map((name) => ({
  name,
  ...form.parse(JSON.parse(read(`upgrades/${name}/upgrade.json`))),
}))

test('each migration after the first is named by the version that brings it', () => {
  const named = upgrades.flatMap(({ migrations }) => migrations).toSorted()
  expect(named).toEqual(journal.entries.slice(1).map(({ tag }) => tag))
})

test('each version that asks for something is in CHANGELOG.md', () => {
  const headings = read('CHANGELOG.md').match(/^## \[.*\]/gm)
  for (const { name } of upgrades)
    expect(headings).toContain(`## [${name === 'next' ? 'Unreleased' : name}]`)
})

test('each variable that an upgrade names is in .env.example, and each codemod is there', () => {
  for (const { name, variables, codemods } of upgrades) {
    for (const variable of Object.keys(variables))
      expect(read('.env.example'), variable).toMatch(new RegExp(`^# ${variable}=`, 'm'))
    for (const codemod of codemods)
      expect(existsSync(join(root, 'upgrades', name, codemod)), codemod).toBe(true)
  }
})
