// npm run test:firebase: tests IDENTITY=firebase against Google's Auth emulator. It needs no
// account and no Java, and the npm registry only the first time.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installApart } from './install-apart.mjs'
import { install, node, root } from './install.mjs'

const version = '15.34.2'
const project = 'demo-atrium'
const patience = 60_000

install()
const tools = join(
  installApart('firebase-tools', { packages: { 'firebase-tools': version }, size: '270 MB' }),
  'firebase-tools',
)
const folder = mkdtempSync(join(tmpdir(), 'atrium-firebase-'))
const children = []
process.on('exit', () => {
  for (const { child, by } of children) child.kill(by)
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

const emulatorHost = await startEmulator()
const { passed, failed } = await runTests()
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function startEmulator() {
  const [auth, hub, logging] = await freePorts(3)
  const place = { host: '127.0.0.1' }
  const emulators = {
    auth: { ...place, port: auth },
    hub: { ...place, port: hub },
    logging: { ...place, port: logging },
    ui: { enabled: false },
  }
  writeFileSync(join(folder, 'firebase.json'), JSON.stringify({ emulators }))
  const bin = join(tools, 'lib', 'bin', 'firebase.js')
  // It has nothing to lose, and would write into its folder while it stops.
  const emulator = start(
    [bin, 'emulators:start', '--only', 'auth', '--project', project],
    'SIGKILL',
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      // It keeps its settings and logs here, and asks nobody for a newer version.
      env: { ...process.env, XDG_CONFIG_HOME: folder, NO_UPDATE_NOTIFIER: '1', CI: '1' },
    },
  )
  let said = ''
  for (const stream of [emulator.stdout, emulator.stderr])
    stream.on('data', (text) => (said += text))
  const host = `127.0.0.1:${auth}`
  const until = performance.now() + patience
  while (!(await answers(host))) {
    if (emulator.exitCode !== null || performance.now() > until)
      fail(`The Auth emulator did not start.\n${said}`)
    await delay(100)
  }
  return host
}

async function answers(host) {
  try {
    return (await fetch(`http://${host}/`)).ok
  } catch {
    return false
  }
}

async function runTests() {
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const options = [
    '--allowOnly=false',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const tests = start(
    [vitest, 'run', '--config', 'tests/firebase/vitest.config.ts', ...options],
    'SIGTERM',
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NO_COLOR: '1', FIREBASE_AUTH_EMULATOR_HOST: emulatorHost },
    },
  )
  const status = await new Promise((resolve) => tests.on('exit', resolve))
  const result = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 0 }
  const crashed = result.numFailedTests === 0 && (status !== 0 || result.numPassedTests === 0)
  return { passed: result.numPassedTests, failed: result.numFailedTests + (crashed ? 1 : 0) }
}

/** A child that ends with this process, by the signal `by`. */
function start(args, by, options) {
  const child = spawn(node, args, options)
  children.push({ child, by })
  return child
}

/** Held all at once, so that they differ. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(
    servers.map((server) => new Promise((resolve) => server.on('listening', resolve))),
  )
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
