// npm test: every check and every test, then one line that sums them up. `npm run check` runs the checks alone.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, install, node, root } from './install.mjs'

install()
const reports = join(root, 'node_modules', '.cache', 'atrium-tests')
rmSync(reports, { recursive: true, force: true })
const onlyChecks = process.argv[2] === 'checks'
const total = { passed: 0, failed: 0 }

check('format', ['oxfmt', '--check', '.'])
check('lint', ['oxlint', '--type-aware'])
for (const part of ['contract', 'server', 'client', 'tests']) check(`types of ${part}`, ['tsc', '-p', part])
if (!onlyChecks) {
  build()
  runner('server tests', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report('vitest')}`], () => {
    const { numPassedTests, numTotalTests } = read('vitest')
    return { passed: numPassedTests, failed: numTotalTests - numPassedTests }
  })
  runner('browser journeys', ['playwright', 'test', '--config', 'tests/journeys/playwright.config.ts'], () => {
    const { expected, unexpected, flaky, skipped } = read('playwright').stats
    return { passed: expected, failed: unexpected + flaky + skipped }
  })
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

/** Counts as one test; its output is shown when it fails. */
function check(name, command) {
  const { status, seconds, output } = run(command, 'pipe')
  const passed = status === 0
  count(name, seconds, { passed: passed ? 1 : 0, failed: passed ? 0 : 1 })
  if (!passed) console.log(output)
}

/** A test runner that reports its tests; one that crashed, or ran none, has failed. */
function runner(name, command, countTests) {
  const { status, seconds } = run(command, 'inherit')
  const counted = existsSync(report(command[0])) ? countTests() : { passed: 0, failed: 0 }
  if (counted.failed === 0 && (status !== 0 || counted.passed === 0)) counted.failed = 1
  count(name, seconds, counted)
}

function run([tool, ...args], output) {
  const started = performance.now()
  const bin = join(root, 'node_modules', '.bin', tool)
  const { status, stdout, stderr } = spawnSync(node, [bin, ...args], {
    cwd: root,
    stdio: ['ignore', output, output],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NO_COLOR: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: report('playwright') },
  })
  return { status, seconds: (performance.now() - started) / 1000, output: `${stdout ?? ''}${stderr ?? ''}` }
}

function count(name, seconds, { passed, failed }) {
  total.passed += passed
  total.failed += failed
  console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`)
}

function report(name) {
  return join(reports, `${name}.json`)
}

function read(name) {
  return JSON.parse(readFileSync(report(name), 'utf8'))
}
