import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { aFolder, root } from './a-server.ts'

const ofTools = new Set('node_modules .git dist .cache .data screens test-results'.split(' '))

/** A mark that `npm run rename` takes. */
export const aMark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="4" fill="var(--color-accent, #000000)"/><circle cx="16" cy="16" r="7" fill="#ffffff"/></svg>`

/** A copy of the sources with the same packages. */
export async function aCopy() {
  const copy = await aFolder()
  for (const name of await readdir(root))
    if (!ofTools.has(name)) await cp(join(root, name), join(copy, name), { recursive: true })
  await linkPackages(copy)
  return copy
}

/** Gives a folder our packages, and its own sandbox and tools in place of ours. */
export async function linkPackages(folder: string) {
  const [ours, own] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(join(own, '@local'), { recursive: true })
  for (const name of await readdir(ours))
    if (name !== '@local') await symlink(join(ours, name), join(own, name))
  for (const name of await readdir(join(ours, '@local')))
    await symlink(join(folder, name), join(own, '@local', name))
}

/** Runs a program of the copy, with the shipped configuration. */
export function runIn(copy: string, program: string, args: readonly string[]) {
  return spawnIn(copy, process.execPath, [program, ...args])
}

/** Runs git, which must succeed, and returns what it printed. */
export function gitIn(folder: string, ...args: string[]) {
  const { status, output } = spawnIn(folder, 'git', args)
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${output}`)
  return output.trim()
}

function spawnIn(cwd: string, program: string, args: readonly string[]) {
  // npm would tell where it was called, and vitest that it runs.
  const own = /^(INIT_CWD|NODE_.*|VITEST.*)$/
  const rest = Object.entries(process.env).filter(([name]) => !own.test(name))
  const author = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.com' }
  const env = { ...Object.fromEntries(rest), ...author, ...committer }
  const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 }
  const { status, stdout, stderr } = spawnSync(program, args, options)
  return { status, output: `${String(stdout)}${String(stderr)}` }
}
