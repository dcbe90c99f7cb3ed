import { defineConfig } from 'vitest/config'

/** For `npm run test:firebase`. */
export default defineConfig({
  root: new URL('../../../../..', import.meta.url).pathname,
  test: {
    pool: 'threads',
    // The emulator's settings hold for the whole project, so files run one by one.
    fileParallelism: false,
    include: ['server/providers/identity/firebase/tests/*.test.ts'],
    globalSetup: [
      'server/providers/identity/firebase/tests/start-emulator.ts',
      'tests/global-setup.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
