import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium } from '@playwright/test'

export type Browser = { executablePath: string; args: string[]; env: Record<string, string> }

const require = createRequire(import.meta.url)
const modules = join(dirname(require.resolve('@playwright/test/package.json')), '..', '..')

/** Whether an npm package has a browser for this machine. That one draws the same everywhere. */
export const isFromNpm =
  !process.env['CHROME_PATH'] && process.platform === 'linux' && process.arch === 'x64'

/** The Chromium from npm uses only its own fonts and those in the folders of `FONTS`. */
export async function findBrowser(): Promise<Browser> {
  const named = process.env['CHROME_PATH']
  if (named) return browser(named)
  if (isFromNpm) return npmBrowser(process.env['FONTS']?.split(':') ?? [])
  const found = [chromium.executablePath(), ...systemBrowsers].find((path) => existsSync(path))
  if (!found) throw new Error('There is no Chromium here. Set CHROME_PATH to one.')
  return browser(found)
}

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

function browser(
  executablePath: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Browser {
  const isRoot = process.getuid?.() === 0
  const quiet = [
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--font-render-hinting=none',
  ]
  return {
    executablePath,
    args: [...(isRoot ? ['--no-sandbox'] : []), ...quiet, ...args],
    env: { ...(process.env as Record<string, string>), ...env },
  }
}

async function npmBrowser(fonts: string[]) {
  const folder = await unpack()
  const drawing = ['--no-zygote', '--disable-gpu']
  const libraries = [process.env['LD_LIBRARY_PATH'], join(folder, 'al2023', 'lib')]
    .filter(Boolean)
    .join(':')
  const FONTCONFIG_FILE = fontconfigOf([join(folder, 'fonts'), ...fonts], folder)
  return browser(join(folder, 'chromium'), drawing, { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE })
}

/**
 * Writes a fontconfig for only these folders. Glyphs get no hints and no coloured edges. Chromium
 * asks for `system-ui` by the name `sans`.
 */
function fontconfigOf(folders: string[], cache: string) {
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${folder}</dir>`).join('\n')}
${['sans-serif', 'sans', 'monospace'].map((family) => `  <alias binding="same"><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`).join('\n')}
  <cachedir>${join(cache, 'fonts-cache')}</cachedir>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`
  const file = join(
    cache,
    `fonts-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.conf`,
  )
  if (existsSync(file)) return file
  // The rename keeps a parallel run from reading half of the file.
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, text)
  renameSync(fresh, file)
  return file
}

/** Unpacks each version once and then moves it into place, so that parallel runs don't collide. */
async function unpack() {
  const packageFolder = join(modules, '@sparticuz', 'chromium')
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  const cache = writableCache()
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(join(folder, 'chromium'))) return folder

  const fresh = mkdtempSync(join(cache, 'unpacking-'))
  const before = {
    TMPDIR: process.env['TMPDIR'],
    AWS_LAMBDA_JS_RUNTIME: process.env['AWS_LAMBDA_JS_RUNTIME'],
  }
  // The package unpacks to TMPDIR. It unpacks shared libraries only if it seems to be on Lambda.
  Object.assign(process.env, { TMPDIR: fresh, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath(join(packageFolder, 'bin'))
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(join(folder, 'chromium'))) throw error
  }
  return folder
}

/** The checkout may belong to another user, and a folder that others can write to isn't safe. */
function writableCache() {
  const uid = process.getuid?.() ?? 0
  for (const cache of [join(modules, '.cache', 'browser'), join(tmpdir(), `browser-${uid}`)]) {
    try {
      mkdirSync(cache, { recursive: true, mode: 0o755 })
      accessSync(cache, constants.W_OK)
      if (statSync(cache).uid === uid) return cache
    } catch {
      continue
    }
  }
  throw new Error('There is nowhere to unpack a browser to.')
}
