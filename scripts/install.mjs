// Plain JavaScript for Node 18 and newer: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const vite = join('node_modules', 'vite', 'bin', 'vite.js')

// npm puts node_modules/.bin first on PATH, so this process may run on the Node from npm. npm
// itself runs on the machine's own.
const { npm_node_execpath: ownNode = process.execPath, npm_config_user_agent: agent } = process.env
const ownVersion = (ownNode !== process.execPath && / node\/v(\d+)/.exec(agent)) || [
  '',
  process.versions.node,
]

/** The machine's own Node if it is new enough, else the one from npm. */
export const node =
  parseInt(ownVersion[1]) >= 24 ? ownNode : join(root, 'node_modules', '.bin', 'node')

/** Installs what package-lock.json says, unless it is installed already. */
export function install() {
  if (process.platform === 'win32') fail('This runs on Linux and macOS; on Windows use WSL.')
  const stamp = join('node_modules', '.installed')
  if (isDone(stamp, ['package-lock.json'])) return
  say('Installing packages …')
  // Production needs the dev dependencies too, because it builds the app.
  const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund']
  run(
    'npm',
    ['ci', ...options, '--loglevel=error'],
    'The packages could not be installed. Is the npm registry within reach?',
  )
  if (!existsSync(node)) fail('This needs Node 24 or newer. Install it from https://nodejs.org.')
  remember(stamp, ['package-lock.json'])
}

/** False in an artefact (npm run pack), which has only what is built. */
export const hasSources = ['client', 'server'].every((folder) => existsSync(join(root, folder)))

const ofBoth = ['config', 'contract', 'locales', 'modules', 'package.json', 'package-lock.json']
const ofTests = ['tests/config', 'tests/locales', 'tests/build']
const client = [
  'client',
  'vite.config.ts',
  'server/dev',
  'server/http/front-pages.ts',
  'server/platform/colors.ts',
  ...ofBoth,
]
const server = ['server', 'sandbox', 'vite.server.config.ts', ...ofBoth]
const cloudFunction = ['operate', 'vite.function.config.ts', ...server]
const commands = ['operate', 'vite.commands.config.ts', ...server]
const parts = {
  client: { folder: 'dist/client', config: 'vite.config.ts', from: client },
  server: { folder: 'dist/server', config: 'vite.server.config.ts', from: server },
  commands: { folder: 'dist/commands', config: 'vite.commands.config.ts', from: commands },
  function: { folder: 'dist/function', config: 'vite.function.config.ts', from: cloudFunction },
  // The same parts with the configuration and languages of the tests.
  testClient: {
    folder: '.cache/test-client',
    config: 'tests/build/vite.config.ts',
    from: [...client, ...ofTests],
  },
  sellingClient: {
    folder: '.cache/selling-client',
    config: 'tests/build/vite.selling.config.ts',
    from: [...client, ...ofTests, 'tests/selling'],
  },
  testServer: {
    folder: '.cache/test-server',
    config: 'tests/build/vite.server.config.ts',
    from: [...server, ...ofTests],
  },
}

/** Builds the web app and the server, each only if something that it is made of has changed. */
export function build(wanted = ['client', 'server']) {
  for (const part of wanted) {
    const { folder, config, from } = parts[part]
    if (isDone(stampOf(part), from)) continue
    say(`Building ${folder} …`)
    const condition = ofTests.every((file) => from.includes(file))
      ? ['--conditions=tests-config']
      : []
    const args = [...condition, vite, 'build', '--config', config, '--configLoader', 'native']
    run(node, [...args, '--logLevel=warn'], `${folder} could not be built.`)
    rememberBuild(part)
  }
}

/** Whether the server and its commands run as they are built, with nothing to install. */
export function isBuilt() {
  if (!existsSync(join(root, 'node_modules', '@node-rs', 'argon2'))) return false
  return ['client', 'server', 'commands'].every((part) => isDone(stampOf(part), parts[part].from))
}

/** Notes that a part is built, so that the next start does not build it again. */
export function rememberBuild(part) {
  remember(stampOf(part), parts[part].from)
}

function stampOf(part) {
  return `${parts[part].folder}.built`
}

function isDone(stamp, files) {
  const path = join(root, stamp)
  return existsSync(path) && readFileSync(path, 'utf8') === digestOf(files)
}

function remember(stamp, files) {
  writeFileSync(join(root, stamp), digestOf(files))
}

function run(command, args, failure) {
  // The import conditions and NODE_ENV of a test that starts this must not apply to the build.
  const { NODE_OPTIONS: _options, NODE_ENV: _env, ...env } = process.env
  const { status, signal } = spawnSync(command, args, { cwd: root, stdio: ['inherit', 2, 2], env })
  if (signal) process.exit(130)
  if (status !== 0) fail(failure)
}

/** Says what goes on, on standard error: standard output is for what a command finds. */
export function say(msg) {
  const line = { level: 30, time: Date.now(), pid: process.pid, hostname: hostname(), msg }
  console.error(process.stderr.isTTY ? msg : JSON.stringify(line))
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}

/** A hash that changes with any file below these paths. */
function digestOf(paths) {
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
