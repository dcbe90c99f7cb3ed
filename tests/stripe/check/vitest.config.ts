import { defineConfig } from 'vitest/config'

/** For `npm run stripe:check`. */
export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    include: ['tests/stripe/check/**/*.test.ts'],
    reporters: ['./tests/stripe/check/report.ts'],
    // Test clocks of the sandbox move all of it.
    fileParallelism: false,
    // A week passes in minutes at most.
    testTimeout: 1_800_000,
    hookTimeout: 90_000,
  },
})
