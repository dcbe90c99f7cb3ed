import { defineConfig } from 'vitest/config'

/** For `npm run stripe:check`. */
export default defineConfig({
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    include: ['tests/stripe/check/**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
