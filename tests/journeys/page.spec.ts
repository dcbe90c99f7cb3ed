import { signedInAs } from './people.ts'
import { aProject } from './projects.ts'
import { expect, test } from './visitor.ts'

test('pictures are kept for a day, hashed files for good, the page never; all with their types', async ({
  request,
}) => {
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
    expect([
      path,
      answer.status(),
      answer.headers()['content-type']?.split(';')[0],
      answer.headers()['cache-control'],
    ]).toEqual([path, 200, type, cache])
  }
})

test('the page asks for the words and the screen before the app does', async ({ page }) => {
  // The app's own name the whole address.
  const ahead = () =>
    page
      .locator('link[rel=modulepreload][href^="/"]')
      .evaluateAll((links) =>
        links.map((link) => /\/assets\/(.+)-.{8}\.js/.exec(link.getAttribute('href')!)![1]),
      )
  await page.goto('/signin')
  expect(await ahead()).toEqual(['identity', 'forms'])
  await page.reload()
  expect(await ahead()).toEqual(['en', 'identity', 'forms'])
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, { plan: 'free' })
  for (const [path, chunk] of [
    ['/', 'dashboard'],
    [`/subscription/${id}/billing/`, 'billing'],
    [`/subscription/${id}/users/invite`, 'invite'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await ahead()).toEqual(expect.arrayContaining(['en', 'en', 'signed-in', chunk]))
  }
})

test('the page asks who is signed in before the app does, and once', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  const asked: string[] = []
  page.on(
    'request',
    (request) =>
      void (request.url().includes('/api/') && asked.push(new URL(request.url()).pathname)),
  )
  const early = page.waitForRequest('**/api/refreshSession')
  await page.route(/\/assets\/index-.*\.js/, async (route) => {
    await early
    await route.continue()
  })
  await page.goto('/create-plan')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(asked[0]).toBe('/api/refreshSession')
  expect(asked[1]).not.toBe('/api/refreshSession')
})

test('who is signed in is asked again when the page’s own question was lost', async ({
  context,
}) => {
  const page = await context.newPage()
  await signedInAs(page, 'Ann Archer')
  let asked = 0
  await page.route('**/api/refreshSession', (route) => (asked++ ? route.continue() : route.abort()))
  await page.goto('/create-plan')
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  expect(asked).toBeGreaterThan(1)
})

test('who is signed in is asked again when the page’s own question is never answered', async ({
  browser,
  baseURL,
}) => {
  // A script that was changed is not one the page allows.
  const context = await browser.newContext({ baseURL: baseURL!, locale: 'en-US', bypassCSP: true })
  const page = await context.newPage()
  await signedInAs(page, 'Ann Archer')
  // The page's question has a second instead of more than a minute.
  await page.route('**/create-plan', async (route) => {
    const response = await route.fetch()
    const html = (await response.text()).replace(/"timeout":\d+/, '"timeout":1000')
    await route.fulfill({ response, body: html })
  })
  let asked = 0
  await page.route('**/api/refreshSession', (route) => void (asked++ && route.continue()))
  await page.goto('/create-plan')
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await context.close()
})

test('who is signed in can sign out without a connection', async ({ context }) => {
  const page = await context.newPage()
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const account = page.getByRole('button', { name: 'Your account' })
  const menu = page.waitForResponse(/assets\/menu-/)
  await account.hover()
  await (await menu).finished()
  await context.setOffline(true)
  await account.click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/signin/)
})
