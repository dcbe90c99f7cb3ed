import { languages } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { frontPages } from '#contract/paths.ts'
import { createHash } from 'node:crypto'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { aWorld } from '../../tests/world.ts'
import { fileOf, findFrontPage, openFrontPages } from './front-pages.ts'

const find = (path: string, acceptLanguage?: string) =>
  findFrontPage(new URL(path, 'https://example.net'), acceptLanguage)

test('an address names the language of a page for visitors, or the browser does', () => {
  const pages = [
    ['/pricing', undefined, 'en'],
    ['/pricing', 'de-AT,en;q=0.8', 'de'],
    ['/welcome', 'fr;q=0.1, zh-HK', 'zh-TW'],
    ['/welcome', 'xx', 'en'],
    ['/de/pricing', 'ja', 'de'],
    ['/zh-TW/welcome', undefined, 'zh-TW'],
  ] as const
  for (const [path, accepted, language] of pages)
    expect(find(path, accepted), path).toMatchObject({ language })
})

test.each([
  '/',
  '/xx/pricing',
  '/de',
  '/de/',
  '/de/de/pricing',
  '/DE/pricing',
  '/pricings',
  '//pricing',
])('no page for visitors is at %s', (path) => {
  expect(find(path)).toBeUndefined()
})

test('a query chooses no way to pay that is not sold', () => {
  expect(find('/pricing?interval=../../secret&currency=xyz')?.way).toBe('')
})

test('a page has the address of the server where links to it need that', () => {
  const folder = `${mkdtempSync('/tmp/app-front-')}/`
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = fileOf(find('/de/pricing')!)
  mkdirSync(`${folder}front/de`, { recursive: true })
  writeFileSync(folder + file, '<link href="%ORIGIN%/de/pricing"><meta content="%ORIGIN%/x.png">')
  expect(openFrontPages(folder, 'https://example.net')(file)).toBe(
    '<link href="https://example.net/de/pricing"><meta content="https://example.net/x.png">',
  )
})

const everyPage = Object.keys(languages).flatMap((language) =>
  frontPages.map((page) => `/${language}/${page}`),
)

test.each(everyPage)(
  '%s is whole without a script, weighs at most 20 kB and obeys its policy',
  async (path) => {
    const { request } = await aWorld()
    const zipped = await request(path, { headers: { 'accept-encoding': 'gzip' } })
    expect((await zipped.arrayBuffer()).byteLength).toBeLessThan(20_000)
    const answer = await request(path)
    const html = await answer.text()
    const scripts = Array.from(
      html.matchAll(/<script[^>]*>([^]*?)<\/script>/g),
      ([, code]) => code!,
    )
    expect(scripts).toHaveLength(1)
    const hash = createHash('sha256').update(scripts[0]!).digest('base64')
    expect(answer.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
    expect(html.indexOf('<style>')).toBeLessThan(html.indexOf('<script>'))
    expect(html).not.toMatch(/<link[^>]*stylesheet|\son\w+="|%ORIGIN%|\{\{|front\.\w/)
    const plans = html.match(/href="\/signup[^"]*next=%2Fcreate-plan%3Fplan%3D/g)
    expect(plans).toHaveLength(3)
    expect(html).toContain(`<link rel="canonical" href="http://localhost:3000${path}"/>`)
    const alternates = Array.from(
      html.matchAll(/hrefLang="([\w-]+)" href="[^"/]+:\/\//g),
      ([, code]) => code,
    )
    expect(alternates).toEqual([...Object.keys(languages), 'x-default'])
    expect(html).toContain(`<meta property="og:image" content="http://localhost:3000/front/share-`)
  },
)

test('an answer by the browser’s languages says so, and what is not filled in is not served', async () => {
  const { request } = await aWorld()
  const answer = await request('/pricing', { headers: { 'accept-language': 'de' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-language')).toBe('de')
  expect(answer.headers.get('vary')).toMatch(/Accept-Language/)
  for (const path of ['/front/en/pricing.html', '/front/en/pricing.html.gz'])
    expect((await request(path)).status, path).toBe(404)
})

test('one line shows visitors /welcome at the address itself, and others their dashboard', async () => {
  const { request } = await aWorld()
  const languageOf = async (headers = {}) =>
    (await request('/', { headers })).headers.get('content-language')
  expect(await languageOf()).toBeNull()
  change({ home: 'welcome' })
  expect(await languageOf()).toBe('en')
  expect((await request('/')).headers.get('vary')).toContain('Cookie, Accept-Language')
  expect(await languageOf({ cookie: 'pergola_signed_in=1' })).toBeNull()
  change({ frontOfHouse: false })
  expect(await languageOf()).toBeNull()
})

test('another line switches both pages off', async () => {
  const { request } = await aWorld()
  const statuses = async () => {
    const paths = ['/welcome', '/pricing', '/de/pricing']
    return Promise.all(paths.map(async (path) => (await request(path)).status))
  }
  expect(await statuses()).toEqual([200, 200, 200])
  change({ frontOfHouse: false })
  expect(await statuses()).toEqual([404, 404, 404])
})

/** Another configuration until the test has finished. */
function change(values: Partial<typeof product>) {
  const before = { ...product }
  onTestFinished(() => void Object.assign(product, before))
  Object.assign(product, values)
}
