import { mergeConfig, defaultClientConditions } from 'vite'
import product from '../../vite.config.ts'

/** The product as shipped, with the tests' own configuration in place of config/. */
export default mergeConfig(product, {
  resolve: { conditions: ['atrium-test', ...defaultClientConditions] },
  build: { outDir: '../.cache/test-app' },
})
