import { mkdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { dist } from './tests/build/dist.ts'

const folders = 'config,contract,locales,modules,operate,sandbox,server,tests'
/** Tests that take minutes. `npm run test:quick` leaves out these and those with the tag `slow`. */
const long = ['tests/chance/**', 'tests/races/**']

// A server complains if the folder of the web app is missing. These tests need nothing in it.
mkdirSync(dist, { recursive: true })

export default defineConfig({
  // Tests bring their own configuration and languages: tests/config/, tests/locales/. See
  // docs/decisions/012-configuration-of-the-tests.md.
  ssr: { resolve: { conditions: ['tests-config'] } },
  test: {
    pool: 'threads',
    maxWorkers: 2,
    // Loading the server again for every file would take longer than most tests do.
    isolate: false,
    // The time limits are there for tests that hang, not for slow ones.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    tags: [
      {
        name: 'slow',
        description: 'Not in `npm run test:quick`: files, and tests, that take many seconds.',
      },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: [`{${folders}}/**/*.test.ts`],
          exclude: [
            ...long,
            'tests/prices/**',
            'tests/journeys/**',
            'tests/start/**',
            'tests/stripe/check/**',
            'server/providers/identity/firebase/tests/**',
          ],
          globalSetup: 'tests/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: long.map((files) => files.replace('**', '**/*.test.ts')),
          globalSetup: 'tests/global-setup.ts',
        },
      },
      {
        extends: true,
        // In place of the tests' own plans, those of tests/selling/.
        ssr: { resolve: { conditions: ['selling-config', 'tests-config'] } },
        test: {
          name: 'selling',
          include: ['tests/prices/**/*.test.ts'],
          globalSetup: 'tests/global-setup.ts',
        },
      },
      {
        extends: true,
        // .ci/run sets RETRY_ONCE; see scripts/test.mjs.
        test: {
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          globalSetup: 'tests/start/global-setup.ts',
          retry: process.env['RETRY_ONCE'] ? 1 : 0,
        },
      },
    ],
  },
})
