// npm run stripe:check: runs the contract of payments, and tests of whole weeks, against Stripe
// with the test-mode key STRIPE_SECRET_KEY, or against the server at STRIPE_API_BASE. It prints a
// report that is worth keeping: see docs/stripe-check.md.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { begin } from './commands.mjs'
import { readEnvFile } from './env-file.mjs'
import { install, node, root } from './install.mjs'

begin('stripe:check', process.argv.slice(2))
readEnvFile()
const key = process.env.STRIPE_SECRET_KEY?.trim()
if (!key) end('skipped: no STRIPE_SECRET_KEY', 0)
if (!/^(sk|rk)_test_/.test(key))
  end(
    'This makes customers and payments: STRIPE_SECRET_KEY must be a test-mode key (sk_test_…), never a live one.',
    1,
  )

install()
const vitest = join(root, 'node_modules', '.bin', 'vitest')
run('tests/stripe/check/prices.ts')
run(vitest, 'run', '--config', 'tests/stripe/check/vitest.config.ts', '--allowOnly=false')

function run(...args) {
  const { status } = spawnSync(node, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, STRIPE_SECRET_KEY: key },
  })
  if (status !== 0) process.exit(status ?? 1)
}

function end(line, code) {
  ;(code === 0 ? console.log : console.error)(line)
  process.exit(code)
}
