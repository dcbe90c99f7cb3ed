import { signedInAs } from './people.ts'
import { expect, test } from './visitor.ts'

test('pictures are kept for a day, hashed files for good, the page never, all with their types', async ({
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

test('a signed-in user can sign out without a connection', async ({ context }) => {
  const page = await context.newPage()
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const account = page.getByRole('button', { name: 'Your account' })
  await expect(account).toBeVisible()
  await context.setOffline(true)
  await account.click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/signin/)
})
