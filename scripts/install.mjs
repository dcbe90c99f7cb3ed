// Plain JavaScript for whatever Node the machine has: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const node = join(root, 'node_modules', '.bin', 'node')
export const vite = join('node_modules', 'vite', 'bin', 'vite.js')

/** Installs what package-lock.json says, unless that is what is here. */
export function install() {
  if (process.platform === 'win32') fail('Atrium runs on Linux and macOS; on Windows use WSL.')
  const stamp = join(root, 'node_modules', '.atrium-installed')
  const wanted = digest(['package-lock.json'])
  if (readStamp(stamp) === wanted) return
  console.log('Installing packages …')
  // The app is built here, in production too.
  const all = ['--include=dev', '--include=optional']
  run(
    'npm',
    ['ci', ...all, '--no-audit', '--no-fund', '--loglevel=error'],
    'The packages could not be installed. Is the npm registry within reach?',
  )
  // Its install script fetches the program. Where install scripts are turned off, this one has to run all the same.
  if (!existsSync(node))
    run(
      'npm',
      ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'],
      'Node 24 could not be installed from npm.',
    )
  writeFileSync(stamp, wanted)
}

const builtFrom = ['client', 'config', 'contract', 'locales', 'vite.config.ts', 'package-lock.json']
const buildStamp = join(root, 'dist', '.built')

/** Builds the web app, unless nothing it is made of has changed. */
export function build() {
  if (readStamp(buildStamp) === digest(builtFrom)) return
  console.log('Building the web app …')
  run(node, [vite, 'build', '--logLevel=warn'], 'The web app could not be built.')
  rememberBuild()
}

/** The next start takes the web app as it is. */
export function rememberBuild() {
  writeFileSync(buildStamp, digest(builtFrom))
}

function run(command, args, failure) {
  const { status, signal } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (signal) process.exit(130)
  if (status !== 0) fail(failure)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Changes with any file below the given paths. */
function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    for (const file of filesBelow(path)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function filesBelow(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}
