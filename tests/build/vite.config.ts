import { fileURLToPath } from 'node:url'
import { defaultClientConditions, mergeConfig, type Plugin } from 'vite'
import product from '../../vite.config.ts'
import { dist } from './dist.ts'

/** Without the check of the first load: only the shipped app has to stay within its budget. */
const plugins = (product.plugins as Plugin[]).filter(({ name }) => name !== 'first-load')

export const conditions = ['tests-config', ...defaultClientConditions]

/** The product as shipped, with the tests' own configuration in place of config/. */
export default mergeConfig(
  { ...product, plugins },
  {
    resolve: { conditions },
    build: { outDir: fileURLToPath(dist) },
  },
)
