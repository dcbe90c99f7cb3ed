import { defineConfig } from 'vitest/config'

/** For `npm run stripe:check`. */
export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    include: ['tests/stripe/check/**/*.test.ts'],
    reporters: ['./tests/stripe/check/report.ts'],
    // A test clock of the sandbox moves the whole sandbox, so files run one by one.
    fileParallelism: false,
    // A test clock may need minutes for a week.
    testTimeout: 1_800_000,
    hookTimeout: 90_000,
  },
})
