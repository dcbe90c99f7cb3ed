import { fileURLToPath } from 'node:url'
import { mergeConfig, defaultClientConditions } from 'vite'
import product from '../../vite.config.ts'
import { dist } from './dist.ts'

/** The product as shipped, with the tests' own configuration in place of config/. */
export default mergeConfig(product, {
  resolve: { conditions: ['atrium-test', ...defaultClientConditions] },
  build: { outDir: fileURLToPath(dist) },
})
