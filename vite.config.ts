import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const server = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`
const ofServer = ['/api', '/live', '/auth/provider', '/dev', '/sandbox', '/webhooks', '/healthz', '/readyz']

/** What the first visit to the sign-in screen may weigh: JavaScript and CSS, kB after gzip -9. */
const budget = { screen: 'screens/identity/sign-in.tsx', language: 'locales/en.json?visit', kB: 115 }

/** The texts of screens that are open to everyone. */
const ofVisits = new Set(['common', 'layout', 'forms', 'auth', 'invites', 'permissions', 'errors'])

/** The texts of mails, and of the pages of the payment provider's stand-in. */
const ofNoScreen = new Set(['mails', 'sandbox'])

export default defineConfig({
  root: 'client',
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // A few files that many screens share, instead of dozens of small ones that compress badly.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 3 },
            {
              name: 'forms',
              test: /client\/(api\/use-action|components\/(call-form|field|form-context|message|password|problem|text-))/,
              priority: 2,
            },
            { name: 'identity', test: /client\/screens\/identity\/(sign-|reset-|use-)/, priority: 2 },
            { name: 'signed-in', test: /client\/(api|components|guards|layouts)\//, minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
  plugins: [languageParts(), react(), tailwind(), preloadFont(), firstLoad(), precompress()],
  server: { proxy: Object.fromEntries(ofServer.map((path) => [path, { target: server }])) },
})

/** A language comes in two parts: `?visit` for everyone, `?member` once somebody is signed in. */
function languageParts(): Plugin {
  return {
    name: 'language-parts',
    enforce: 'pre',
    transform: {
      filter: { id: /\/locales\/[\w-]+\.json\?(visit|member)$/ },
      handler(source, id) {
        const areas = Object.entries(JSON.parse(source) as Record<string, unknown>)
        const isWanted = (area: string) => !ofNoScreen.has(area) && ofVisits.has(area) === id.endsWith('?visit')
        return { code: `export default ${JSON.stringify(Object.fromEntries(areas.filter(([area]) => isWanted(area))))}`, moduleType: 'js' }
      },
    },
  }
}

function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const fonts = Object.keys(bundle).filter((file) => file.endsWith('.woff2'))
        return fonts.map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
          injectTo: 'head-prepend',
        }))
      },
    },
  }
}

/** Says what the first visit weighs and fails the build when it is too much. */
function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const roots = chunks.filter(
        ({ isEntry, facadeModuleId }) => isEntry || [budget.screen, budget.language].some((path) => facadeModuleId?.endsWith(path)),
      )
      const scripts = withImports(roots, bundle).map(({ code }) => code)
      const styles = Object.values(bundle).flatMap((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? [file.source] : []))
      const kB = [...scripts, ...styles].reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0) / 1000
      this.info(`first visit to /signin: ${kB.toFixed(1)} of ${budget.kB} kB JavaScript and CSS (gzip -9, ${roots.length} roots)`)
      if (kB > budget.kB) this.error('The first visit weighs too much.')
    },
  }
}

function withImports(roots: Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle) {
  const found = new Set(roots)
  for (const chunk of found) {
    for (const file of chunk.imports) {
      const imported = bundle[file]
      if (imported?.type === 'chunk') found.add(imported)
    }
  }
  return [...found]
}

/** A brotli and a gzip copy beside every text asset, so that the server compresses nothing while it answers. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const files = (await readdir(dir, { recursive: true })).filter((file) => /\.(js|css|svg|json)$/.test(file))
      await Promise.all(files.map((file) => compress(join(dir, file))))
    },
  }
}

async function compress(file: string) {
  const content = await readFile(file)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
