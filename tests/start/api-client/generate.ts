// node generate.ts DOCUMENT FOLDER: writes a client for an OpenAPI document into a folder.
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const [input = '', path = ''] = process.argv.slice(2)
// The generator needs the compiler's API, which our version of TypeScript does not have.
const ofTools = createRequire(new URL('../../../tools/package.json', import.meta.url))
const typescript = pathToFileURL(ofTools.resolve('typescript')).href
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? typescript : specifier, context),
})

const { createClient } = await import('@hey-api/openapi-ts')
await createClient({
  input,
  output: { path, module: { extension: '.ts' } },
  logs: { level: 'silent' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
})
