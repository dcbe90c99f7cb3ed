// npm test: every check and every test, then one line that sums them up. `npm run check` runs the checks alone.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { install, node, rememberBuild, root } from './install.mjs'

const typechecked = ['contract', 'sandbox', 'server', 'client', 'tests']
const journeys = 'tests/journeys/playwright.config.ts'

install()
const reports = join(root, 'node_modules', '.cache', 'atrium-tests')
rmSync(reports, { recursive: true, force: true })
const total = { passed: 0, failed: 0 }
/** What went wrong in tests whose output the journeys' comes after, to be said again at the end. */
const failures = []
/** Journeys and process tests that failed and then passed: with RETRY_ONCE they are tried once more, and each is a bug to be found. */
const flaky = []

check('format', ['oxfmt', '--check', '.'])
check('lint', ['oxlint', '--type-aware'])
check('words', ['tools/words.ts'], /words: .*/)
for (const part of typechecked) check(`types of ${part}`, ['tsc', '--noEmit', '-p', part])
if (process.argv[2] !== 'checks') testAll()
for (const failure of failures) console.log(`\n${failure}`)
for (const name of flaky) console.log(`flaky: ${name}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

function testAll() {
  // Its weight is part of the build: more than the budget fails it.
  const built = check('build', ['vite', 'build'], /first visit.*/)
  if (built) rememberBuild()
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report('vitest')}`,
  ]
  runner('tests', ['vitest', 'run', '--allowOnly=false', ...reporters], (result) => {
    for (const { assertionResults } of result.testResults) {
      for (const { fullName, status, failureMessages = [] } of assertionResults) {
        if (status === 'passed' && failureMessages.length > 0) flaky.push(fullName)
        failures.push(
          ...failureMessages.map(
            (message) => `${status === 'passed' ? 'FLAKY' : 'FAILED'} ${fullName}\n${message}`,
          ),
        )
      }
    }
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests,
      skipped: result.numPendingTests + result.numTodoTests,
    }
  })
  if (existsSync(join(root, journeys))) {
    runner('journeys', ['playwright', 'test', '--config', journeys], ({ stats, suites }) => {
      flaky.push(
        ...specsOf(suites).flatMap(({ title, tests }) =>
          tests.some(({ status }) => status === 'flaky') ? [title] : [],
        ),
      )
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        skipped: stats.skipped,
      }
    })
  }
}

function specsOf(suites = []) {
  return suites.flatMap(({ specs, suites }) => [...specs, ...specsOf(suites)])
}

/** Counts as one test; its output is shown when it fails, or the line of it that is worth a look. */
function check(name, command, telling) {
  const { status, seconds, output } = run(command, 'pipe')
  const passed = status === 0
  count(name, seconds, { passed: passed ? 1 : 0, failed: passed ? 0 : 1 })
  if (!passed) console.log(output)
  else if (telling) console.log(`       ${telling.exec(output)?.[0] ?? ''}`)
  return passed
}

/** A test runner that reports its tests. One that crashed, or ran none, has failed. */
function runner(name, command, countTests) {
  const { status, seconds } = run(command, 'inherit')
  const file = report(command[0])
  const counted = existsSync(file)
    ? countTests(JSON.parse(readFileSync(file, 'utf8')))
    : { passed: 0, failed: 0 }
  if (counted.failed === 0 && (status !== 0 || counted.passed === 0)) counted.failed = 1
  count(name, seconds, counted)
}

function run([tool, ...args], output) {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(
    node,
    [tool.endsWith('.ts') ? tool : join(root, 'node_modules', '.bin', tool), ...args],
    {
      cwd: root,
      stdio: ['ignore', output, output],
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...process.env,
        ...(output === 'pipe' && { NO_COLOR: '1' }),
        PLAYWRIGHT_JSON_OUTPUT_FILE: report('playwright'),
      },
    },
  )
  return {
    status,
    seconds: (performance.now() - started) / 1000,
    output: `${stdout ?? ''}${stderr ?? ''}`,
  }
}

function count(name, seconds, { passed, failed, skipped }) {
  total.passed += passed
  total.failed += failed
  const also = skipped ? `, ${skipped} skipped` : ''
  console.log(
    `${failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${passed} passed, ${failed} failed${also} (${seconds.toFixed(1)} s)`,
  )
}

function report(name) {
  return join(reports, `${name}.json`)
}
