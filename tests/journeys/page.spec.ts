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

test('a signed-in user can sign out without a connection', async ({ context }) => {
  const page = await context.newPage()
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
  await context.setOffline(true)
  await signOut(page)
  await expect(page).toHaveURL(/\/signin/)
})
