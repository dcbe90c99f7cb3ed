// @module-tag slow
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const parts = ['config', 'contract', 'locales', 'modules', 'sandbox', 'server', 'operate', 'client']

const secret = (part: string) => `export { secret } from '../${part}/secret.ts'`
const ofBrowser = `export const title = document.title`
const ofNode = `export { readFileSync } from 'node:fs'`

test.each([
  ['client', [secret('server'), secret('sandbox'), ofNode]],
  ['server', [secret('client'), secret('operate'), ofBrowser]],
  ['operate', [secret('client'), ofBrowser]],
  ['sandbox', [secret('server')]],
  ['contract', [secret('server'), secret('client'), ofBrowser, ofNode]],
])('in %s the compiler refuses code that belongs to another part', async (part, lines) => {
  const copy = await copyRules()
  expect(await compile(copy, part)).toBe('')
  const probes = lines.map((line, index) => [`${part}/probe-${index}.ts`, line] as const)
  for (const [file, line] of probes) await put(copy, file, line)
  const errors = await compile(copy, part)
  expect(probes.filter(([file]) => !errors.includes(file))).toEqual([])
})

test('the linter refuses forbidden imports that the compiler accepts', async () => {
  const copy = await copyRules()
  const forbidden = {
    'client/probe.ts': `export { secret } from '../server/secret.ts'`,
    'contract/probe.ts': `export { secret } from '../server/secret.ts'`,
    'sandbox/probe.ts': `export { secret } from '../server/secret.ts'`,
    'sandbox/probe-of-plans.ts': `export { plans } from '#config/plans.ts'`,
    'sandbox/tests/probe.test.ts': `export { aWorld } from '../../tests/world.ts'`,
    'server/probe.ts': `export { secret } from '../sandbox/secret.ts'`,
    'server/probe-of-door.ts': `export { openSandbox } from '@local/sandbox'`,
    'server/billing/probe.test.ts': `export { secret } from '../../sandbox/secret.ts'`,
    'server/store/probe.ts': `export { secret } from '../../sandbox/secret.ts'`,
    'server/invites/probe-of-sql.ts': `export { sql } from 'drizzle-orm'`,
    'server/invites/probe-of-brand.ts': `export { Stripe } from 'stripe'`,
  }
  for (const [file, line] of Object.entries(forbidden)) await put(copy, file, line)
  const allowed = {
    'server/open-providers.ts': `export { openSandbox } from '@local/sandbox'`,
    'operate/commands/migrate.ts': `export { createSchema } from '@local/sandbox/schema'`,
    'operate/commands/sandbox.ts': `export { openAlone } from '@local/sandbox/alone'`,
    'server/billing/allowed.test.ts': `export { aSandbox } from '@local/sandbox/testing'`,
  }
  for (const [file, line] of Object.entries(allowed)) await put(copy, file, line)
  const output = await run(copy, 'oxlint', ['--format=unix', ...parts])
  const refused = output
    .split('\n')
    .flatMap((line) => (line.includes('no-restricted-imports') ? [line.split(':')[0]!] : []))
  expect(refused.toSorted()).toEqual(Object.keys(forbidden).toSorted())
})

/** Copies the repository's rules, and gives each part a file that exports one value. */
async function copyRules() {
  const copy = await mkdtemp(join(tmpdir(), 'app-borders-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  for (const part of parts) await put(copy, `${part}/secret.ts`, 'export const secret = 1\n')
  const ofParts = ['client', 'contract', 'operate', 'sandbox', 'server'].map(
    (part) => `${part}/tsconfig.json`,
  )
  const rules = ['tsconfig.json', '.oxlintrc.json', 'package.json', ...ofParts]
  await Promise.all(rules.map((file) => cp(join(root, file), join(copy, file))))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

async function put(copy: string, file: string, content: string) {
  await mkdir(dirname(join(copy, file)), { recursive: true })
  await writeFile(join(copy, file), content)
}

function compile(copy: string, part: string) {
  const buildInfo = join(copy, `${part}.tsbuildinfo`)
  return run(copy, 'tsc', ['-p', part, '--pretty', 'false', '--tsBuildInfoFile', buildInfo])
}

async function run(copy: string, tool: string, args: string[]) {
  const child = spawn(join(root, 'node_modules', '.bin', tool), args, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return output + errors
}
