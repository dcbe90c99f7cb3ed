import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const parts = ['config', 'contract', 'locales', 'sandbox', 'server', 'client']

test.each([
  ['client', 'client/probe.ts', `export { secret } from '../server/secret.ts'`],
  ['client', 'client/probe.ts', `export { secret } from '../sandbox/secret.ts'`],
  ['client', 'client/probe.ts', `export { readFileSync } from 'node:fs'`],
  ['server', 'server/probe.ts', `export { secret } from '../client/secret.ts'`],
  ['server', 'server/probe.ts', `export const title = document.title`],
  ['sandbox', 'sandbox/probe.ts', `export { secret } from '../server/secret.ts'`],
  ['contract', 'contract/probe.ts', `export const title = document.title`],
  ['contract', 'contract/probe.ts', `export { readFileSync } from 'node:fs'`],
  ['contract', 'contract/probe.ts', `export { secret } from '../server/secret.ts'`],
  ['contract', 'contract/probe.ts', `export { secret } from '../client/secret.ts'`],
])('the compiler of %s refuses %s with %s', async (part, file, line) => {
  const copy = await aCopyOfTheHouse()
  expect(await compile(copy, part)).toBe('')
  await writeFile(join(copy, file), line)
  expect(await compile(copy, part)).toContain(file)
})

test('the linter refuses what the compiler lets through', async () => {
  const copy = await aCopyOfTheHouse()
  const forbidden = {
    'client/probe.ts': `export { secret } from '../server/secret.ts'`,
    'contract/probe.ts': `export { secret } from '../server/secret.ts'`,
    'sandbox/probe.ts': `export { secret } from '../server/secret.ts'`,
    'sandbox/probe-of-plans.ts': `export { plans } from '#config/plans.ts'`,
    'sandbox/tests/probe.test.ts': `export { aWorld } from '../../tests/world.ts'`,
    'server/probe.ts': `export { secret } from '../sandbox/secret.ts'`,
    'server/probe-of-door.ts': `export { openSandbox } from '@atrium/sandbox'`,
    'server/billing/probe.test.ts': `export { secret } from '../../sandbox/secret.ts'`,
    'server/store/probe.ts': `export { secret } from '../../sandbox/secret.ts'`,
    'server/invites/probe-of-sql.ts': `export { sql } from 'drizzle-orm'`,
    'server/invites/probe-of-brand.ts': `export { Stripe } from 'stripe'`,
  }
  for (const [file, line] of Object.entries(forbidden)) await put(copy, file, line)
  const allowed = {
    'server/main.ts': `export { openSandbox } from '@atrium/sandbox'`,
    'server/commands/sandbox.ts': `export { openAlone } from '@atrium/sandbox/alone'`,
    'server/billing/allowed.test.ts': `export { aSandbox } from '@atrium/sandbox/testing'`,
  }
  for (const [file, line] of Object.entries(allowed)) await put(copy, file, line)
  const said = await run(copy, 'oxlint', ['--format=unix', ...parts])
  const refused = said
    .split('\n')
    .flatMap((line) => (line.includes('no-restricted-imports') ? [line.split(':')[0]!] : []))
  expect(refused.toSorted()).toEqual(Object.keys(forbidden).toSorted())
})

/** The rules of this house with nothing in it but one value in each part. */
async function aCopyOfTheHouse() {
  const copy = await mkdtemp(join(tmpdir(), 'atrium-borders-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  for (const part of parts) await put(copy, `${part}/secret.ts`, 'export const secret = 1\n')
  const rules = [
    'tsconfig.json',
    '.oxlintrc.json',
    'package.json',
    'client/tsconfig.json',
    'contract/tsconfig.json',
    'sandbox/tsconfig.json',
    'server/tsconfig.json',
  ]
  await Promise.all(rules.map((file) => cp(join(root, file), join(copy, file))))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

async function put(copy: string, file: string, content: string) {
  await mkdir(dirname(join(copy, file)), { recursive: true })
  await writeFile(join(copy, file), content)
}

function compile(copy: string, part: string) {
  return run(copy, 'tsc', [
    '-p',
    part,
    '--tsBuildInfoFile',
    join(copy, `${part}.tsbuildinfo`),
    '--pretty',
    'false',
  ])
}

async function run(copy: string, tool: string, args: string[]) {
  const child = spawn(join(root, 'node_modules', '.bin', tool), args, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
  return said + complained
}
