import { defineConfig } from 'vitest/config'

/** For `npm run test:firebase`. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    pool: 'threads',
    // The emulator's settings are those of the whole project.
    fileParallelism: false,
    include: ['server/providers/identity/firebase.test.ts', 'tests/firebase/**/*.test.ts'],
    globalSetup: 'tests/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
