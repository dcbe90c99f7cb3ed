import { defineConfig } from '@playwright/test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../scripts/install.mjs'
import { findBrowser } from '../../tools/find-browser.ts'

// This process and those that it starts use tests/config/ and tests/locales/.
const condition = 'tests-config'
process.env['NODE_OPTIONS'] = `--conditions=${condition}`
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [condition, ...context.conditions] }),
})

const root = join(import.meta.dirname, '..', '..')
const port = Number(process.env['JOURNEYS_PORT'] ?? 3457)
/** The server that offers every sign-in provider. */
const socialPort = port + 1000
process.env['SOCIAL_URL'] = `http://localhost:${socialPort}`
/** A server whose payment provider is a separate sandbox server, and that sandbox. */
const standalonePort = port + 2000
const sandboxPort = port + 3000
process.env['STANDALONE_URL'] = `http://localhost:${standalonePort}`
process.env['STANDALONE_SANDBOX_URL'] = `http://localhost:${sandboxPort}`
/** A server that sells in all ways: see tests/selling/. */
const sellingPort = port + 4000
process.env['SELLING_URL'] = `http://localhost:${sellingPort}`
const webhookSecret = 'whsec_of_the_journeys'
const webhook = `--webhook http://localhost:${standalonePort}/webhooks/stripe --webhook-secret ${webhookSecret}`
// Workers read this file too; only the first one builds and starts servers.
if (!process.env['JOURNEYS_DATA']) build(['testClient', 'testServer', 'sellingClient'])
const data = (process.env['JOURNEYS_DATA'] ??= makeDataDir())
const { executablePath, args, env } = await findBrowser()

/** Journeys run on the app and server as built for tests, with a database of their own. */
export default defineConfig({
  testDir: '../..',
  testMatch: ['**/tests/journeys/*.spec.ts', '**/modules/*/*.spec.ts'],
  outputDir: '../../node_modules/.cache/journeys',
  reporter: [
    ['list'],
    [
      'json',
      {
        outputFile:
          process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? '../../node_modules/.cache/journeys.json',
      },
    ],
  ],
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // .ci/run sets RETRY_ONCE; see scripts/test.mjs.
  retries: process.env['RETRY_ONCE'] ? 1 : 0,
  // The time limits are there for tests that hang, not for slow ones.
  timeout: 120_000,
  // A changed colour or a moved button fails a picture; a few differently smoothed pixels don't.
  expect: {
    timeout: 20_000,
    toHaveScreenshot: { threshold: 0.1, maxDiffPixels: 40, animations: 'disabled', caret: 'hide' },
  },
  snapshotPathTemplate: '{testDir}/tests/journeys/looks/{arg}{ext}',
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: { executablePath, args, env },
    locale: 'en-US',
    timezoneId: 'UTC',
  },
  webServer: [
    aServer('.cache/test-server/main.js', port),
    aServer('tests/journeys/social-server.ts', socialPort),
    aServer(`operate/commands/sandbox.ts --port ${sandboxPort} ${webhook}`, sandboxPort),
    aServer('server/main.ts', sellingPort, {
      NODE_OPTIONS: `--conditions=selling-config --conditions=${condition}`,
    }),
    aServer('.cache/test-server/main.js', standalonePort, {
      STRIPE_API_BASE: process.env['STANDALONE_SANDBOX_URL'],
      STRIPE_SECRET_KEY: 'sk_test_journeys',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_journeys',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
    }),
  ],
})

function aServer(script: string, port: number, env: Record<string, string> = {}) {
  return {
    command: `${JSON.stringify(process.execPath)} ${script}`,
    cwd: root,
    url: `http://localhost:${port}/readyz`,
    env: {
      PORT: String(port),
      DATA_DIR: join(data, String(port)),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'test',
      ...env,
    },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
  } as const
}

/** Other users may enter the folder, because PostgreSQL never runs as root. */
function makeDataDir() {
  const folder = mkdtempSync(join(tmpdir(), 'app-journeys-'))
  chmodSync(folder, 0o711)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
