import { spawnSync } from 'node:child_process'
import { cp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { aFolder, root } from './a-server.ts'

const ofTools = new Set('node_modules .git dist .cache .data screens test-results'.split(' '))

/** A copy of the sources with the same packages. */
export async function aCopy() {
  const copy = await aFolder()
  for (const name of await readdir(root))
    if (!ofTools.has(name)) await cp(join(root, name), join(copy, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Runs a program of the copy, with the shipped configuration. */
export function runIn(copy: string, program: string, args: readonly string[]) {
  // npm would tell where it was called, and vitest that it runs.
  const own = /^(INIT_CWD|NODE_OPTIONS|VITEST.*)$/
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: copy,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, output: `${String(stdout)}${String(stderr)}` }
}
