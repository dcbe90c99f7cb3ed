import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium } from '@playwright/test'

export type Browser = { executablePath: string; args: string[]; env: Record<string, string> }

const require = createRequire(import.meta.url)
const modules = join(dirname(require.resolve('@playwright/test/package.json')), '..', '..')

/**
 * A Chromium for the journeys: the one that CHROME_PATH names, the one inside an npm package (the same everywhere, so that it draws the
 * same everywhere), Playwright's own download, or the system's.
 */
export async function findBrowser(): Promise<Browser> {
  const named = process.env['CHROME_PATH']
  if (named) return browser(named)
  if (process.platform === 'linux' && process.arch === 'x64') return npmBrowser()
  const found = [chromium.executablePath(), ...systemBrowsers].find((path) => existsSync(path))
  if (!found) throw new Error('There is no Chromium here. Set CHROME_PATH to one.')
  return browser(found)
}

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

function browser(executablePath: string, args: string[] = [], env: Record<string, string> = {}): Browser {
  const isRoot = process.getuid?.() === 0
  const quiet = ['--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--font-render-hinting=none']
  return {
    executablePath,
    args: [...(isRoot ? ['--no-sandbox'] : []), ...quiet, ...args],
    env: { ...(process.env as Record<string, string>), ...env },
  }
}

async function npmBrowser() {
  const folder = await unpack()
  const gpu = ['--no-zygote', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
  const libraries = [process.env['LD_LIBRARY_PATH'], join(folder, 'al2023', 'lib')].filter(Boolean).join(':')
  return browser(join(folder, 'chromium'), gpu, { LD_LIBRARY_PATH: libraries })
}

/** Once per version, in a folder of its own that is then moved into place: runs side by side don't see each other's halves. */
async function unpack() {
  const packageFolder = join(modules, '@sparticuz', 'chromium')
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const cache = writableCache()
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(join(folder, 'chromium'))) return folder

  const fresh = mkdtempSync(join(cache, 'unpacking-'))
  const before = { TMPDIR: process.env['TMPDIR'], AWS_LAMBDA_JS_RUNTIME: process.env['AWS_LAMBDA_JS_RUNTIME'] }
  // The package unpacks to the temporary folder, and its shared libraries only where it believes to be in a certain cloud.
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

/** The checkout may be somebody else's; and what others could have put into the temporary folder is not to be run. */
function writableCache() {
  const uid = process.getuid?.() ?? 0
  for (const cache of [join(modules, '.cache', 'atrium-browser'), join(tmpdir(), `atrium-browser-${uid}`)]) {
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
