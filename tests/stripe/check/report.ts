import { stripVTControlCharacters } from 'node:util'
import Stripe from 'stripe'
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node'
import { asksAt, stripe } from './account.ts'

/** How many requests of a failed test the report shows. */
const lastRequests = 10

const notTried = [
  '3-D Secure answered by a person',
  'Link, wallets, bank debits and other ways to pay than cards',
  'links to invoices that have ended after 30 days',
  'webhooks on their way to the server',
  'disputes and refunds made in the dashboard',
]

/** Progress goes to standard error, the report to standard output. */
export default class Report implements Reporter {
  onTestCaseResult(test: TestCase) {
    process.stderr.write(`${test.ok() ? '✓' : '✗'} ${nameOf(test)} (${secondsOf(test)} s)\n`)
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly { message?: string }[],
    reason: TestRunEndReason,
  ) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const broken = [...modules.flatMap((module) => module.errors()), ...errors].map(
      ({ message = '' }) => message,
    )
    const failed = tests.filter((test) => !test.ok())
    const result = `${tests.length - failed.length} passed, ${failed.length + broken.length} failed${reason === 'interrupted' ? ', interrupted' : ''}`
    const lines = [
      `# Stripe check of ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      '',
      asksAt === 'https://api.stripe.com'
        ? 'Stripe itself was asked, in test mode.'
        : `Not Stripe: ${asksAt} was asked.`,
      '',
      `- Account: ${await accountId()}`,
      `- API version: ${Stripe.API_VERSION}, by version ${Stripe.PACKAGE_VERSION} of the \`stripe\` package`,
      `- Result: ${result}`,
      `- Not tried: ${notTried.join('; ')}`,
      '',
      '| Walked | Result | Seconds |',
      '|---|---|---|',
      ...tests.map(
        (test) =>
          `| ${nameOf(test)} | ${test.ok() ? 'passed' : '**failed**'} | ${secondsOf(test)} |`,
      ),
      ...failed.flatMap(whyItFailed),
      ...broken.flatMap((message) => ['', '```', message, '```']),
    ]
    process.stdout.write(`${withoutKeys(lines.join('\n'))}\n`)
  }
}

async function accountId() {
  return stripe.accounts.retrieveCurrent().then(
    ({ id }) => id,
    () => 'not told',
  )
}

function whyItFailed(test: TestCase) {
  const errors = (test.result().errors ?? []).map(({ message, diff }) =>
    stripVTControlCharacters([message, diff].filter(Boolean).join('\n')),
  )
  const requests = (test.meta().requests ?? []).slice(-lastRequests)
  return [
    '',
    `## ${nameOf(test)}`,
    '',
    '```',
    ...errors,
    '```',
    '',
    'Its last requests:',
    '',
    ...requests.map((request) => `- ${request}`),
  ]
}

function nameOf({ fullName }: TestCase) {
  return fullName.split(' > ').slice(1).join(': ').replaceAll('|', '\\|')
}

function secondsOf(test: TestCase) {
  return ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1)
}

function withoutKeys(text: string) {
  return text.replaceAll(/\b([srp]k_(?:test|live))_\w+/g, '$1_…')
}
