import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/install.mjs'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
/** The commands that programs of ours carry out. */
const ours = Object.entries(scripts).flatMap(([name, script]) => {
  const [, program] = /^(?:exec )?node (.*)$/.exec(script) ?? []
  return program === undefined ? [] : [[name, program] as const]
})

function run(program: string, ...args: string[]) {
  return new Promise<{ code: number; out: string; err: string }>((done) => {
    execFile(process.execPath, [...program.split(' '), ...args], { cwd: root }, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), out, err }),
    )
  })
}

test('every command prints its usage for --help, and does nothing', async () => {
  expect(ours.length).toBeGreaterThan(20)
  for (const [name, program] of ours) {
    const { code, out } = await run(program, '--help')
    expect(out, name).toMatch(new RegExp(`^Usage: npm (run )?${name}`))
    expect(code, name).toBe(0)
  }
  expect(existsSync(join(root, '--help'))).toBe(false)
})

test('every command names an option that it does not know', async () => {
  for (const [name, program] of ours) {
    const { code, err } = await run(program, '--nonsense')
    expect(err, name).toContain('--nonsense')
    expect(code, name).toBe(1)
  }
})

test.each([
  ['start', '--hlep', 'There is no option --hlep. Did you mean --help?'],
  ['backup', '', 'FILE is missing.'],
  ['restore', 'a b', '“b” is too much.'],
  ['admin', '--by', '--by needs NAME.'],
  ['bench', '--write=1', '--write takes no value.'],
])('npm run %s -- %s is refused in a sentence', async (name, words, said) => {
  const program = ours.find(([own]) => own === name)![1]
  const { code, err } = await run(program, ...words.split(' ').filter(Boolean))
  expect(err).toMatch(new RegExp(`^${said.replace(/[?.]/g, '\\$&')}\n\nUsage: npm`))
  expect(code).toBe(1)
})
