import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vite'
import { dist } from './selling-dist.ts'
import tests, { conditions } from './vite.config.ts'

/** The web app of the tests, with the plans and billing of tests/selling/. */
export default mergeConfig(tests, {
  resolve: { conditions: ['selling-config', ...conditions] },
  build: { outDir: fileURLToPath(dist) },
})
