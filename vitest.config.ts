import { mkdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { dist } from './tests/journeys/dist.ts'

const folders = 'config,contract,locales,sandbox,server,tests'

// A server that finds no such folder says so; the tests here need no web app in it.
mkdirSync(dist, { recursive: true })

export default defineConfig({
  // Tests bring their own configuration and languages: tests/config/, tests/locales/.
  ssr: { resolve: { conditions: ['atrium-test'] } },
  test: {
    pool: 'threads',
    maxWorkers: 2,
    // What hangs fails; what is slow on a busy machine does not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: [`{${folders}}/**/*.test.ts`],
          exclude: [
            'tests/journeys/**',
            'tests/start/**',
            'tests/firebase/**',
            'tests/stripe/check/**',
            '**/firebase.test.ts',
          ],
          globalSetup: 'tests/global-setup.ts',
        },
      },
      {
        extends: true,
        // For .ci/run; see scripts/test.mjs.
        test: {
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          retry: process.env['RETRY_ONCE'] ? 1 : 0,
        },
      },
    ],
  },
})
