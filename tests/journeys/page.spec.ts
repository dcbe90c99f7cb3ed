import { expectNoViolations, expectOpenToAll } from './check-screen.ts'
import { signedInAs, signOut } from './people.ts'
import { expect, test } from './visitor.ts'

test('browsers cache pictures for a day, hashed files forever, no pages', async ({ request }) => {
  const headers = { 'accept-encoding': 'br' }
  const page = await request.get('/dashboard', { headers })
  expect(page.headers()).toMatchObject({
    'cache-control': 'no-cache',
    vary: expect.stringContaining('Accept-Encoding'),
  })
  const html = await page.text()
  expect(html).toMatch(/<meta property="og:image" content="http:\/\/localhost:\d+\/share\.png"/)
  const kept = { picture: 'public, max-age=86400', hashed: 'public, max-age=31536000, immutable' }
  for (const [path, type, cache] of [
    ['/mark.svg', 'image/svg+xml', kept.picture],
    ['/share.png', 'image/png', kept.picture],
    ['/favicon.ico', 'image/x-icon', kept.picture],
    ['/app.webmanifest', 'application/manifest+json', kept.picture],
    [/\/assets\/index-\S+?\.js/.exec(html)![0], 'text/javascript', kept.hashed],
  ] as const) {
    const answer = await request.get(path, { headers })
    expect(answer.status(), path).toBe(200)
    expect(answer.headers()['content-type']?.split(';')[0], path).toBe(type)
    expect(answer.headers()['cache-control'], path).toBe(cache)
  }
})

test('the header of a page names every file that its screen loads', async ({ context }) => {
  const page = await context.newPage()
  const opened = async (path: string) => {
    const loaded = new Set<string>()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/assets/') && pathname.endsWith('.js')) loaded.add(pathname)
    })
    const answer = await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    page.removeAllListeners('request')
    const ofPage = /\/assets\/index-\S+?\.js/.exec(await answer!.text())![0]
    const named = answer!.headers()['link']!.matchAll(/<([^>]+)>; rel=modulepreload/g)
    return {
      loaded: [...loaded].toSorted(),
      named: [ofPage, ...Array.from(named, ([, file]) => file!)].toSorted(),
    }
  }
  const signedOut = await opened('/reset-password')
  expect(signedOut.loaded).toEqual(signedOut.named)
  await signedInAs(page, 'Ann Archer')
  for (const path of ['/dashboard', '/profile', '/']) {
    const { loaded, named } = await opened(path)
    expect(loaded, path).toEqual(named)
  }
})

test('a signed-in user can sign out without a connection', async ({ context }) => {
  const page = await context.newPage()
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
  await context.setOffline(true)
  await signOut(page)
  await expect(page).toHaveURL(/\/signin/)
})

test('an installed app that is opened offline says so in its language, and goes on later', async ({
  context,
}) => {
  // This page isn't watched for errors: the browser reports each request that it can't make.
  const page = await context.newPage()
  // The browser of the tests can't install an app.
  await page.addInitScript(() => {
    const own = window.matchMedia.bind(window)
    window.matchMedia = (query) =>
      query === '(display-mode: standalone)' ? own('all') : own(query)
  })
  await signedInAs(page, 'Ann Archer')
  await page.goto('/profile')
  await page.getByRole('combobox', { name: 'Language' }).first().selectOption('he')
  const texts = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)
  await expect.poll(texts).toContain('lang=he&dir=rtl')
  await context.setOffline(true)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expectOpenToAll(page)
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
})

test('a tab of the browser gets no worker', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
  expect(await page.evaluate(async () => navigator.serviceWorker.getRegistrations())).toEqual([])
})

test('the reference of the calls is a page without scripts, open to all', async ({
  page,
  request,
}) => {
  const api = (await (await request.get('/openapi.json')).json()) as { paths: object }
  expect(Object.keys(api.paths)).toContain('/api/createInvite')
  expect(await (await request.get('/llms.txt')).text()).toMatch(/^# Pergola\n\n> /)
  await page.goto('/api-reference#createInvite')
  await expect(page.locator('script')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'createInvite', exact: true })).toBeInViewport()
  await page.getByText('members', { exact: true }).first().click()
  await page.getByRole('link', { name: 'removeUser' }).first().click()
  await expect(page.getByRole('heading', { name: 'removeUser', exact: true })).toBeInViewport()
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await expectNoViolations(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})
