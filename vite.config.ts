import { languages } from './config/languages.ts'
import { limits } from './config/limits.ts'
import { product } from './config/product.ts'
import { paths, type PathName } from './contract/paths.ts'
import { ofSignedIn } from './contract/refusals.ts'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const server = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`
const ofServer = [
  '/api',
  '/live',
  '/auth/provider',
  '/dev',
  '/sandbox',
  '/invoices',
  '/webhooks',
  '/healthz',
  '/readyz',
]

/** What the first visit to the sign-in screen may weigh: JavaScript and CSS, kB after gzip -9. */
const budget = {
  screen: 'screens/identity/sign-in.tsx',
  language: 'locales/en.json?visit',
  kB: 115,
}

/** The texts of screens that are open to everyone. Of `errors` they have those that a visitor can run into. */
const ofVisits = new Set(['common', 'layout', 'forms', 'auth', 'invites', 'permissions'])

/** The texts of mails, and of the pages of the payment provider's stand-in. */
const ofNoScreen = new Set(['mails', 'sandbox'])

export default defineConfig({
  root: 'client',
  build: {
    outDir: '../dist/client',
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
              test: /client\/(runtime|api\/use-action|components\/(call-form|field|form-(actions|context)|message|password|problem|text-))/,
              priority: 2,
            },
            {
              name: 'identity',
              test: /client\/screens\/identity\/(sign-|reset-|use-)/,
              priority: 2,
            },
            // The frame of every project's screens, however few of them there are.
            { name: 'signed-in', test: /client\/(guards|layouts)\/[\w-]+\.tsx?$/, priority: 2 },
            {
              name: 'signed-in',
              test: /client\/(api|components|guards|layouts|providers|screens\/billing)\/|client\/[\w-]+\.tsx?$|contract|lucide-react/,
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  plugins: [
    languageParts(),
    react(),
    tailwind(),
    nameProduct(),
    preloadFont(),
    preloadChunks(),
    firstLoad(),
    precompress(),
  ],
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
        const isVisit = id.endsWith('?visit')
        const { errors, ...rest } = JSON.parse(source) as { errors: Record<string, string> }
        const isWanted = (area: string) => !ofNoScreen.has(area) && ofVisits.has(area) === isVisit
        const part = {
          ...pick(rest, isWanted),
          errors: pick(errors, (reason) => reason in ofSignedIn !== isVisit),
        }
        return { code: `export default ${JSON.stringify(part)}`, moduleType: 'js' }
      },
    },
  }
}

function pick<Value>(record: Record<string, Value>, isWanted: (key: string) => boolean) {
  return Object.fromEntries(Object.entries(record).filter(([key]) => isWanted(key)))
}

/** The product's name in the page, and beside it what is needed to install the app. */
function nameProduct(): Plugin {
  const png = (size: number, purpose: string) => ({
    src: `/icon-${purpose}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const manifest = {
    id: '/',
    name: product.name,
    start_url: '/',
    display: 'standalone',
    background_color: '#f9fbfc',
    icons: [
      { src: '/mark.svg', sizes: 'any', type: 'image/svg+xml' },
      png(192, 'any'),
      png(512, 'any'),
      png(512, 'maskable'),
    ],
  }
  return {
    name: 'name-product',
    transformIndexHtml(html, { bundle }) {
      const link = { tag: 'link', attrs: { rel: 'manifest', href: '/app.webmanifest' } }
      return { html: html.replaceAll('%PRODUCT%', product.name), tags: bundle ? [link] : [] }
    },
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: 'app.webmanifest',
        source: JSON.stringify(manifest),
      })
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
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${file}`,
            crossorigin: '',
          },
          injectTo: 'head-prepend',
        }))
      },
    },
  }
}

/** Tells the page what it may ask for before the app does, words by language and screens by path, and how long it may wait. */
function preloadChunks(): Plugin {
  return {
    name: 'preload-chunks',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const { timeout } = limits.calls
        if (!bundle)
          return html.replace("'%AHEAD%'", JSON.stringify({ words: {}, screens: {}, timeout }))
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const chunkOf = (module: string) =>
          chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))) ??
          this.error(`${module} is in no chunk.`)
        const wordsOf = (code: string) =>
          ['visit', 'member'].map((part) => `/${chunkOf(`locales/${code}.json?${part}`).fileName}`)
        const words = Object.fromEntries(
          Object.keys(languages).map((code) => [code, wordsOf(code)]),
        )
        const base = withImports([chunkOf('client/main.tsx')], bundle)
        const screens: Record<string, string[]> = {}
        for (const [pattern, module] of await readScreens()) {
          const own = withImports([chunkOf(module)], bundle).filter(
            (chunk) => !base.includes(chunk),
          )
          screens[pattern] = [
            ...new Set([...(screens[pattern] ?? []), ...own.map(({ fileName }) => `/${fileName}`)]),
          ]
        }
        if (Object.keys(screens).length === 0) this.error('No screens were found in the routes.')
        return html.replace("'%AHEAD%'", JSON.stringify({ words, screens, timeout }))
      },
    },
  }
}

/** Of each screen that is fetched with the page: its path as a pattern, empty for whoever is signed in, and its module. */
async function readScreens() {
  const routes = await readFile(join(import.meta.dirname, 'client', 'routes.tsx'), 'utf8')
  const declared =
    /screen\(\s*(?:whenSignedIn|`?(?:\$\{)?paths\.(\w+)(\}\/\*`)?),[^]*?import\('\.(\/.+?)'\)/g
  return Array.from(routes.matchAll(declared), ([, name, andBelow, module]) => {
    const pattern = name
      ? `^${paths[name as PathName].replaceAll(/:\w+/g, '[^/]+')}${andBelow ? '(/|$)' : '/?$'}`
      : ''
    return [pattern, `client${module}`] as const
  })
}

/** Says what the first visit weighs and fails the build when it is too much. */
function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const roots = chunks.filter(
        ({ isEntry, moduleIds }) =>
          isEntry ||
          [budget.screen, budget.language].some((path) =>
            moduleIds.some((id) => id.endsWith(path)),
          ),
      )
      if (roots.length < 3)
        this.error('The screen or the language of the first visit is in no chunk.')
      const scripts = withImports(roots, bundle).map(({ code }) => code)
      const styles = Object.values(bundle).flatMap((file) =>
        file.type === 'asset' && file.fileName.endsWith('.css') ? [file.source] : [],
      )
      const kB =
        [...scripts, ...styles].reduce(
          (sum, text) => sum + gzipSync(text, { level: 9 }).length,
          0,
        ) / 1000
      this.info(
        `first visit to /signin: ${kB.toFixed(1)} of ${budget.kB} kB JavaScript and CSS (gzip -9, ${roots.length} roots)`,
      )
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
    async writeBundle({ dir = 'dist/client' }) {
      const files = (await readdir(dir, { recursive: true })).filter((file) =>
        /\.(js|css|svg|json)$/.test(file),
      )
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
