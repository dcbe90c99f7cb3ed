import { languages } from '#config/languages.ts'
import { frontPages, paths } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { expectOpenToAll } from './check-screen.ts'
import { expectTabWalk } from './keys.ts'
import { signedInAs } from './people.ts'
import { aPhone, expect, shows, test } from './visitor.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

for (const name of frontPages)
  test(`/${name} is open to all, in English and from right to left`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const language of ['en', 'he']) {
      await page.goto(`/${language}${paths[name]}`)
      await expectOpenToAll(page)
      await page.setViewportSize({ width: 1280, height: 800 })
      await expectTabWalk(page)
    }
  })

test('without scripts a visitor reads, chooses a language and opens a question', async ({
  another,
}) => {
  const page = await another(undefined, { javaScriptEnabled: false, locale: 'ja-JP' })
  await page.goto('/welcome')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await page.getByRole('link', { name: languages.en.name }).click()
  await expect(heading(page)).toHaveText('Every project with its own people and its own bill')
  await expect(page.getByRole('img', { name: /^The home of a project/ })).toHaveJSProperty(
    'naturalWidth',
    1280,
  )
  await page.getByText('Who pays, and who sees the bills?').click()
  await shows(page, /^The owner of a project pays\./)
  await page
    .getByRole('navigation', { name: 'Pergola' })
    .getByRole('link', { name: 'Plans and prices' })
    .click()
  await expect(page).toHaveURL(/\/en\/pricing$/)
  await expect(page.getByRole('link', { name: 'Choose Pro' })).toHaveAttribute(
    'href',
    '/signup?lang=en&next=%2Fcreate-plan%3Fplan%3Dpro',
  )
})

test('a chosen language and theme lead on to the pages for visitors, and from there into the app', async ({
  page,
}) => {
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page).toHaveURL(/\/de\/pricing$/)
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.goto('/welcome?code=SPRING')
  await expect(page).toHaveURL(/\/de\/welcome\?code=SPRING$/)
  const isDark = () => getComputedStyle(document.documentElement).colorScheme
  expect(await page.evaluate(isDark)).toBe('dark')
  const picture = page.locator('picture img')
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => img.currentSrc))
    .toMatch(/\/de\/home-wide-dark\.webp$/)
  await page.goto('/en/welcome')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.goto('/signin')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
})

test('a promotion code in the address goes along with the chosen plan', async ({ page }) => {
  await page.goto('/pricing?code=A%26B')
  await page.getByRole('link', { name: 'Choose Pro' }).click()
  await shows(page, 'You chose Pro, $10.00 per week.')
  const next = new URL(page.url()).searchParams.get('next')
  expect(next).toBe('/create-plan?plan=pro&code=A%26B')
})

test('from the forms for visitors the mark leads to /welcome, and from there on to an account', async ({
  page,
}) => {
  await page.goto('/signin')
  await page.getByRole('link', { name: 'Pergola' }).first().click()
  await expect(page).toHaveURL(/\/welcome$/)
  await page.getByRole('link', { name: 'Create your first project' }).click()
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await signedInAs(page, 'Ann Archer')
  await page.goto('/welcome')
  await expect(page.getByRole('link', { name: /^(Sign in|Create account)$/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to your projects' }).first().click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a phone gets a picture of the product on a phone', async ({ another }) => {
  const page = await another(undefined, { ...aPhone, colorScheme: 'dark' })
  await page.goto('/welcome')
  const picture = page.locator('picture img')
  await expect(picture).toHaveJSProperty('naturalWidth', 780)
  expect(await picture.evaluate((img: HTMLImageElement) => img.currentSrc)).toMatch(
    /home-phone-dark\.webp$/,
  )
})

for (const name of frontPages)
  test(`/${name} paints within 1.5 s at 400 kbit/s and 400 ms`, async ({ page }) => {
    const devtools = await page.context().newCDPSession(page)
    const speed = (400 * 1000) / 8
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: speed,
      uploadThroughput: speed,
    })
    await page.goto(paths[name])
    const painted = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
    )
    expect(painted).toBeLessThan(1500)
  })
