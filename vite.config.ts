import { product } from '#config/product.ts'
import { english } from '#locales/english.ts'
import { on } from './contract/modules.ts'
import { paths } from './contract/paths.ts'
import { screens } from './contract/screens.ts'
import { describeApi } from './contract/openapi.ts'
import { notForVisitors } from './contract/refusals.ts'
import { slug } from './contract/slug.ts'
import { llmsText, referencePage } from './server/dev/api-reference.ts'
import { fileOf, findFrontPage, type FrontFile } from './server/http/front-pages.ts'
import { colors, font } from './server/platform/colors.ts'
import { fillIn, findMessage, type Messages } from './locales/translator.ts'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib'
import {
  build,
  defineConfig,
  parseSync,
  runnerImport,
  type Connect,
  type Plugin,
  type Rolldown,
} from 'vite'

const target = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`
/** The paths that Vite forwards to the server. Modules of the app are in /api/ too. */
const ofServer =
  '^/api/\\w+$ /live /auth/provider /dev /sandbox /invoices /unsubscribe /webhooks /healthz /readyz'.split(
    ' ',
  )

/** What the first visit to the sign-in screen may weigh: JavaScript and CSS, kB after gzip -9. */
const budget = {
  modules: ['client/main.tsx', 'screens/identity/sign-in.screen.tsx', 'locales/en.json?visitors'],
  kB: 115,
}

/** What a page for visitors may weigh, kB after gzip, as the server sends it. */
const frontBudget = 20

/**
 * The texts of the screens on which nobody is signed in yet, by area or by a longer key. Every other
 * screen has all texts.
 */
const ofVisitors = ['auth', 'common', 'errors', 'forms', 'product']
/** Texts of those areas that only other screens need. */
const ofOthers = [
  ...`action again backToSignIn confirmPassword newPassword passwordsNoMatch resetFailed
    secondStep resetLinkSent resetPasswordIntro sendResetLink sendResetLinkAgain`
    .split(/\s+/)
    .map((key) => `auth.${key}`),
  'common.copyId',
  'common.copied',
  'common.no',
  'common.notFound',
  'common.notFoundTitle',
  'common.toProjects',
  'common.untitledProject',
  'common.yes',
  'forms.clear',
  'forms.enter.confirm',
  'forms.enter.newPassword',
  'forms.noColor',
  'forms.range',
  'pricing.chosen',
  ...`auth/passkey-canceled auth/passkey-wrong-domain auth/unknown-provider auth/provider-failed
    auth/expired-provider-flow auth/user-cancelled auth/provider-without-email auth/provider-email-invalid
    auth/account-exists-with-different-credential auth/popup-blocked auth/popup-closed-by-user
    addressElementMissing noPaymentMethod paymentDetailsNotSubmitted paymentMethodNotCreated
    paymentUnexpected paymentsBlocked`
    .split(/\s+/)
    .concat(Object.keys(notForVisitors))
    .map((reason) => `errors.${reason}`),
]
/** The texts of mails and of pages that are not of the app. */
const ofNoScreen = ['mails', 'auth.popup', 'front', 'pricing']

/** The part of a language that a text belongs to, by the longest key that is listed. */
const parts = new Map([
  ...ofVisitors.map((key) => [key, 'visitors'] as const),
  ...ofOthers.map((key) => [key, 'others'] as const),
  ...ofNoScreen.map((key) => [key, 'none'] as const),
])

const ofTheme = createRequire(join(import.meta.dirname, 'client/theme.css'))
const modulesOn: readonly string[] = on
/** The cookie of a browser that may have a session. */
const marker = `${slug}_signed_in=1`

const define = { MARK: JSON.stringify(readFileSync('client/public/mark.svg', 'utf8')) }

export default defineConfig({
  root: 'client',
  resolve: { alias: [{ find: /^font-of-theme/, replacement: ofTheme.resolve(font.file) }] },
  define,
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    // The server reads it, and tells browsers which chunks a screen needs.
    manifest: 'manifest.json',
    target: 'es2022',
    // Tailwind's classes need these anyway.
    cssTarget: ['chrome111', 'firefox128', 'safari16.4'],
    sourcemap: false,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The base has the sign-in screen, although the list of screens imports it dynamically.
      checks: { ineffectiveDynamicImport: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 1 },
            // Modules that screens share are one file: dozens of small ones compress badly.
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  plugins: [
    modulesThatAreOn(),
    languageParts(),
    react(),
    tailwind(),
    page(),
    manifest(),
    apiReference(),
    frontOfHouse(),
    firstLoad(),
    precompress(),
  ],
  server: { proxy: Object.fromEntries(ofServer.map((path) => [path, { target }])) },
})

/** Leaves modules that are off out of the app, and of the others what the app does not use. */
function modulesThatAreOn(): Plugin {
  return {
    name: 'modules-that-are-on',
    enforce: 'pre',
    transform: {
      filter: { id: /\.(?:tsx?|css)$/ },
      handler(source, id) {
        if (id.endsWith('/modules/index.ts'))
          return source.replaceAll(/^export \* as (\w+) .*$/gm, (line, name: string) =>
            modulesOn.includes(name) ? line : '',
          )
        if (/\/modules\/[\w-]+\/contract\.ts$/.test(id)) return forTheApp(source)
        if (id.endsWith('.css'))
          return source.replace(/^@source '(.*)\*(.*)';$/m, (_, start: string, end: string) =>
            modulesOn.map((name) => `@source '${start}${name}${end}';`).join('\n'),
          )
        // The patterns of import.meta.glob, which stand in lists.
        const code = source.replaceAll(/'([^'\n]*\/modules\/)\*(\/[^'\n]*)'/g, (_, start, end) =>
          (modulesOn.length > 0 ? modulesOn : ['-'])
            .map((name) => `'${start as string}${name}${end as string}'`)
            .join(', '),
        )
        return { code, ...(id.includes('/contract/') && { moduleSideEffects: false }) }
      },
    },
  }
}

/**
 * The contract.ts of a module without its calls, refusals, sendings and live names, of which the app
 * needs only the types. The build drops what only these use: making it changes nothing else.
 */
function forTheApp(source: string) {
  const edits: { start: number; end: number; text: string }[] = []
  for (const statement of parseSync('contract.ts', source).program.body) {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations) {
      if (
        isExported &&
        id.type === 'Identifier' &&
        /^(calls|refusals|sends|liveNames)$/.test(id.name)
      )
        edits.push({ ...statement, text: '' })
      else if (init)
        edits.push({
          ...init,
          text: `/* @__PURE__ */ (() => (${source.slice(init.start, init.end)}))()`,
        })
    }
  }
  return edits.reduceRight(
    (code, { start, end, text }) => code.slice(0, start) + text + code.slice(end),
    source,
  )
}

/** Splits a language into `?visitors` and `?others`. `?all` has both, and what is of no screen. */
function languageParts(): Plugin {
  return {
    name: 'language-parts',
    enforce: 'pre',
    transform: {
      filter: { id: /\/locales\/[\w-]+\.json\?(visitors|others|all)$/ },
      handler(source, id) {
        const [language = '', part = ''] = /([\w-]+)\.json\?(\w+)$/.exec(id)!.slice(1)
        const own = language === 'en' ? english : (JSON.parse(source) as Messages)
        const all = wordsOfModules(language, own)
        const filled = fillIn(all, wordsOfModules('en', english))
        const picked = part === 'all' ? filled : pick(filled, part)
        return { code: `export default ${JSON.stringify(picked)}`, moduleType: 'js' }
      },
    },
  }
}

/** The texts of a language with those of the modules that are on. */
function wordsOfModules(language: string, messages: Messages) {
  const files = modulesOn.map((name) => `modules/${name}/words/${language}.json`)
  return files
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Messages)
    .reduce((all, words) => fillIn(all, words), messages)
}

/** Returns the texts that belong to a part. `above` is the part of the texts below `prefix`. */
function pick(messages: Messages, wanted: string, prefix = '', above = 'others'): Messages {
  const picked: Messages = {}
  for (const [key, value] of Object.entries(messages)) {
    const part = parts.get(prefix + key) ?? above
    const own = typeof value === 'string' ? value : pick(value, wanted, `${prefix}${key}.`, part)
    if (typeof own === 'string' ? part === wanted : Object.keys(own).length > 0) picked[key] = own
  }
  return picked
}

/** Puts the product's name, tagline and colors into the page, and in a build links to manifest and fonts. */
function page(): Plugin {
  return {
    name: 'page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((file) => file.endsWith('.woff2'))
        const preloads = fonts.map((file) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${file}`,
            crossorigin: '',
          },
          injectTo: 'head-prepend' as const,
        }))
        // A built page gets it from the server.
        const chip = { tag: 'script', attrs: { src: '/dev/chip.js', defer: true } }
        const link = { tag: 'link', attrs: { rel: 'manifest', href: '/app.webmanifest' } }
        return {
          html: html
            .replaceAll('%PRODUCT%', product.name)
            .replaceAll('%TAGLINE%', findMessage(english, product.tagline) ?? product.name)
            .replace('%PAGE_LIGHT%', colors.page[0])
            .replace('%PAGE_DARK%', colors.page[1]),
          tags: bundle ? [...preloads, link] : [chip],
        }
      },
    },
  }
}

/** Adds the manifest, which browsers need to install the app. */
function manifest(): Plugin {
  const png = (size: number, purpose: string) => ({
    src: `/icon-${purpose}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const source = JSON.stringify({
    id: '/',
    name: product.name,
    start_url: '/',
    display: 'standalone',
    background_color: colors.page[0],
    theme_color: colors.page[0],
    shortcuts: [
      { name: findMessage(english, screens.createPlan.firstStep), url: paths.createPlan },
      { name: findMessage(english, screens.profile.title), url: paths.profile },
    ],
    icons: [
      { src: '/mark.svg', sizes: 'any', type: 'image/svg+xml' },
      png(192, 'any'),
      png(512, 'any'),
      png(512, 'maskable'),
    ],
  })
  return {
    name: 'manifest',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'app.webmanifest', source })
    },
  }
}

/** Adds what describes the calls: for programs, for people, and for language models. */
function apiReference(): Plugin {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const api = describeApi(version)
  const tagline = findMessage(english, product.tagline) ?? product.name
  return {
    name: 'api-reference',
    async generateBundle() {
      const files = {
        'openapi.json': JSON.stringify(api),
        'api-reference/index.html': await referencePage(api),
        'llms.txt': llmsText(api, tagline),
      }
      for (const [fileName, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

/** Adds /welcome and /pricing; in development it makes them when they are asked for. */
function frontOfHouse(): Plugin {
  let conditions: string[] = []
  return {
    name: 'front-of-house',
    configResolved({ resolve }) {
      conditions = resolve.conditions
    },
    async generateBundle(_options, bundle) {
      if (!product.frontOfHouse) return
      const fontFile = Object.keys(bundle).find((file) => file.endsWith('.woff2'))
      for (const { html, ...page } of await renderFront(conditions, `/${fontFile}`)) {
        const fileName = fileOf(page)
        const kB = gzipSync(html).length / 1000
        if (kB > frontBudget) this.error(`${fileName} weighs ${kB.toFixed(1)} kB (gzip).`)
        this.emitFile({ type: 'asset', fileName, source: html })
      }
    },
    configureServer({ middlewares }) {
      const answer = async (...asked: Parameters<Connect.NextHandleFunction>) => {
        const [{ url = '', headers }, response, next] = asked
        const isHome = url === paths.home && product.home === 'welcome'
        const path = isHome && !headers.cookie?.includes(marker) ? paths.welcome : url
        const found = findFrontPage(new URL(path, target), headers['accept-language'])
        if (!found) return next()
        try {
          const pages = await renderFront(conditions, `/@fs${ofTheme.resolve(font.file)}`)
          const { html } = pages.find((page) => fileOf(page) === fileOf(found))!
          response.setHeader('content-type', 'text/html').end(html.replaceAll('%ORIGIN%', ''))
        } catch (error) {
          next(error)
        }
      }
      middlewares.use((...asked) => void answer(...asked))
    },
  }
}

/** Makes the pages for visitors. Their styles are only those that they use. */
async function renderFront(conditions: string[], font: string) {
  const { output } = (await build({
    configFile: false,
    root: 'client',
    publicDir: false,
    logLevel: 'warn',
    plugins: [tailwind()],
    define: { MARKER: JSON.stringify(marker) },
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ['client/front/front.css', 'client/front/visit.ts'] },
    },
  })) as Rolldown.RolldownOutput
  const [chunk] = output
  const css = output.find(({ fileName }) => fileName.endsWith('.css')) as Rolldown.OutputAsset
  const look = {
    styles: String(css.source).replaceAll(/url\([^)]*\.woff2\)/g, `url(${font})`),
    script: chunk.code,
    font,
    colors: colors.page,
  }
  const { module } = await runnerImport<{
    renderPages: (of: typeof look) => (FrontFile & { html: string })[]
  }>('./client/front/page.tsx', {
    define,
    logLevel: 'warn',
    plugins: [modulesThatAreOn(), languageParts()],
    environments: { inline: { resolve: { conditions } } },
  })
  return module.renderPages(look)
}

/** Prints the weight of the first visit, and fails the build if it exceeds the budget. */
function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle)
      const chunks = files.filter((file) => file.type === 'chunk')
      const roots = budget.modules.map(
        (module) =>
          chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))) ??
          this.error(`${module} is in no chunk.`),
      )
      const scripts = withImports(roots, bundle).map(({ code }) => code)
      const styles = files.flatMap((file) =>
        file.type === 'asset' && file.fileName.endsWith('.css') ? [file.source] : [],
      )
      const sizes = [...scripts, ...styles].map((text) => gzipSync(text, { level: 9 }).length)
      const kB = sizes.reduce((sum, size) => sum + size, 0) / 1000
      this.info(`first visit to /signin: ${kB.toFixed(1)} of ${budget.kB} kB (gzip -9)`)
      if (kB > budget.kB) this.error('The first visit weighs too much.')
    },
  }
}

function withImports(roots: Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle) {
  const found = new Set(roots)
  for (const chunk of found)
    for (const file of chunk.imports) {
      const imported = bundle[file]
      if (imported?.type === 'chunk') found.add(imported)
    }
  return [...found]
}

/** Writes a brotli and a gzip copy of every text asset, so that the server need not compress. */
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
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await Promise.all([
    writeFile(`${file}.br`, await promisify(brotliCompress)(content, best)),
    writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 })),
  ])
}
