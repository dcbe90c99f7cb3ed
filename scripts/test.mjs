// npm test: runs every check and every test, then prints a line that sums them up. `npm run check`
// runs the checks alone, `npm run test:quick` the tests that take no more than seconds.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { begin } from './commands.mjs'
import { build, install, node, rememberBuild, root } from './install.mjs'

const [what, ...args] = process.argv.slice(2)
begin(what, args)
const typechecked = ['contract', 'sandbox', 'server', 'operate', 'client', 'tests']

install()
const reports = join(root, 'node_modules', '.cache', 'tests')
rmSync(reports, { recursive: true, force: true })
const total = { passed: 0, failed: 0 }
/** Failures are printed again at the end, after the output of the journeys. */
const failures = []
/** Tests that failed first and passed when RETRY_ONCE repeated them. Each hides a bug. */
const flaky = []

if (what !== 'test:quick') checkAll()
if (what === 'test:quick') {
  // Some of them start the server of the tests as a program.
  build(['testClient', 'testServer'])
  testWithVitest('tests', ['--project', 'server', '--tags-filter=!slow', '--maxWorkers=3'])
}
if (what === 'test') testAll()
for (const failure of failures) console.log(`\n${failure}`)
for (const name of flaky) console.log(`flaky: ${name}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

function checkAll() {
  check('format', ['oxfmt', '--check', '.'])
  check('lint', ['oxlint', '--type-aware'])
  check('words', ['tools/words.ts'], /words: .*/)
  check('promises', ['tools/promises.ts'], /^(promises: .*\n)+/m)
  check('contract', ['tools/contract.ts'], /^(.+\n)*contract: .*/m)
  check('lockfile', ['tools/lockfile.ts'], /lockfile: .*/)
  for (const part of typechecked) {
    // An error in a JSON module stays in the compiler's cache after it is put right
    // (microsoft/TypeScript#64025).
    rmSync(join(root, 'node_modules', '.cache', `${part}.tsbuildinfo`), { force: true })
    check(`types of ${part}`, ['tsc', '--noEmit', '-p', part])
  }
}

function testAll() {
  // The build fails if the first visit weighs more than its budget.
  if (check('build', ['vite', 'build', '--configLoader', 'native'], /first visit.*/))
    rememberBuild('client')
  build(['server', 'testClient', 'testServer'])
  testWithVitest('tests')
  testJourneys()
}

function testWithVitest(name, projects = []) {
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report('vitest')}`,
  ]
  runner(name, ['vitest', 'run', '--allowOnly=false', ...projects, ...reporters], (result) => {
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
}

function testJourneys() {
  const config = 'tests/journeys/playwright.config.ts'
  runner('journeys', ['playwright', 'test', '--config', config], ({ stats, suites }) => {
    for (const { title, tests } of specsOf(suites))
      if (tests.some(({ status }) => status === 'flaky')) flaky.push(title)
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    }
  })
}

function specsOf(suites = []) {
  return suites.flatMap(({ specs, suites }) => [...specs, ...specsOf(suites)])
}

/** Runs a check as one test. Prints all output if it fails, else the line `telling` matches. */
function check(name, command, telling) {
  const { status, seconds, output } = run(command, 'pipe')
  const passed = status === 0
  count(name, seconds, { passed: passed ? 1 : 0, failed: passed ? 0 : 1 })
  if (!passed) console.log(output)
  else if (telling) console.log(`       ${telling.exec(output)?.[0] ?? ''}`)
  return passed
}

/** Runs a test runner that reports its tests. One that crashes or runs no test has failed. */
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
