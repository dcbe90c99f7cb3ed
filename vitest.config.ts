import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{config,contract,locales,sandbox,server,tests}/**/*.test.ts'],
    globalSetup: 'tests/global-setup.ts',
    maxWorkers: 2,
    testTimeout: 30_000,
  },
})
