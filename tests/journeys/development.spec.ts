import { expectNoViolations } from './check-screen.ts'
import { signedInAs } from './people.ts'
import { expect, test } from './visitor.ts'

test('in development a menu in the corner leads to mail, sandbox and example people, until it is hidden in the tab', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('development-menu')).toHaveCount(0)
  const ask = () => page.addScriptTag({ url: '/dev/chip.js' })
  await ask()
  const menu = page.getByRole('navigation', { name: 'Development' })
  await page.emulateMedia({ media: 'print' })
  await expect(menu).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.getByText('Dev', { exact: true }).click()
  for (const [name, path] of [
    ['Mail', '/dev/mail'],
    ['Payment sandbox', '/sandbox'],
    ['Example people', '/dev/people'],
  ] as const)
    await expect(menu.getByRole('link', { name })).toHaveAttribute('href', path)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectNoViolations(page)
  }
  await page.keyboard.press('Escape')
  await expect(menu.getByRole('link')).toHaveCount(0)
  await page.getByText('Dev', { exact: true }).click()
  await menu.getByRole('button', { name: 'Hide in this tab' }).click()
  await expect(page.locator('development-menu')).toHaveCount(0)
  await page.reload()
  await ask()
  await expect(page.locator('development-menu')).toHaveCount(0)
})

test('the pages of development are accessible and fit, and a mail’s frame is as high as the mail', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  for (const path of ['/dev/mail', '/dev/people']) {
    await page.goto(path)
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const actual = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(actual, path).toBeLessThanOrEqual(width)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await expectNoViolations(page)
      }
    }
  }
  await page.goto('/dev/mail')
  const frame = page.locator('details[open] iframe')
  const mail = () =>
    frame.evaluate((each: HTMLIFrameElement) => {
      const shown = each.contentDocument!
      const { x, y } = shown.querySelector('a')!.getBoundingClientRect()
      return {
        isWhole: each.clientHeight === shown.documentElement.scrollHeight,
        mark: shown.querySelector('img')!.naturalWidth,
        link: { x: x + 10, y: y + 10 },
      }
    })
  await expect.poll(mail).toMatchObject({ isWhole: true, mark: 192 })
  const opened = page.waitForEvent('popup')
  await frame.click({ position: (await mail()).link })
  await expect(await opened).toHaveURL(/^http:\/\/localhost/)
})
