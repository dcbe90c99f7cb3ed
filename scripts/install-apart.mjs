import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

/** Installs packages that are too big for package.json into a folder of their own, when needed. */
export function installApart(name, { packages, size }) {
  const cache = join(root, 'node_modules', '.cache', name)
  const modules = join(cache, 'node_modules')
  const isMissing = ([name, version]) => installedVersion(join(modules, name)) !== version
  const wanted = Object.entries(packages)
  if (!wanted.some(isMissing)) return modules
  console.log(`Installing ${name} (${size}, once) …`)
  const options = [
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    cache,
  ]
  const { status } = spawnSync(
    'npm',
    ['install', ...options, ...wanted.map((pair) => pair.join('@'))],
    { cwd: root, stdio: 'inherit' },
  )
  if (status === 0 && !wanted.some(isMissing)) return modules
  console.error(`${name} could not be installed. Is the npm registry within reach?`)
  process.exit(1)
}

function installedVersion(folder) {
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}
