import { paths, projectPath, type ProjectPathName } from '#contract/paths.ts'
import type { Locator, Page } from '@playwright/test'
import { findFaults, screenReaderTree } from './check-screen.ts'
import { newAddress } from './people.ts'
import { annsProject, invites } from './projects.ts'
import { expect, shows, test } from './visitor.ts'

/** Makes an owner with a paid project and a pending invitation. */
async function anOwner(page: Page) {
  const id = await annsProject(page, { plan: 'pro' })
  await invites(page, id, newAddress('bob'), ['editor'])
  return id
}

/** The styles that stay visible under forced colours: borders, outlines and backgrounds. */
function drawn(element: Locator) {
  return element.evaluate((element) => {
    const { borderTopColor, borderTopWidth, backgroundColor, outlineStyle, outlineWidth } =
      getComputedStyle(element)
    return { borderTopColor, borderTopWidth, backgroundColor, outlineStyle, outlineWidth }
  })
}

test('a page follows the system, and a theme chosen on it or in another tab stands above that', async ({
  page,
}) => {
  await page.goto(paths.signIn)
  const html = page.locator('html')
  const light = await html.evaluate((html) => getComputedStyle(html).backgroundColor)
  const barsOf = (colorScheme: 'light' | 'dark') =>
    page.locator(`meta[name=theme-color][data-theme=${colorScheme}]`)
  const showsIn = async (system: 'light' | 'dark', shown: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme: system })
    if (shown === 'light') await expect(html).toHaveCSS('background-color', light)
    else await expect(html).not.toHaveCSS('background-color', light)
    const isUsed = ({ media }: HTMLMetaElement) => matchMedia(media).matches
    expect(await barsOf(shown).evaluate(isUsed)).toBe(true)
    expect(await barsOf(shown === 'light' ? 'dark' : 'light').evaluate(isUsed)).toBe(false)
  }
  await showsIn('dark', 'dark')
  await showsIn('light', 'light')
  await page.getByRole('button', { name: /^Theme: system/ }).click()
  await showsIn('dark', 'light')
  await page.getByRole('button', { name: /^Theme: light/ }).click()
  await showsIn('light', 'dark')
  await page.reload()
  await expect(page.getByRole('button', { name: /^Theme: dark/ })).toBeVisible()
  await showsIn('light', 'dark')
  const tab = await page.context().newPage()
  await tab.goto(paths.signIn)
  await tab.getByRole('button', { name: /^Theme: dark/ }).click()
  await expect(page.getByRole('button', { name: /^Theme: system/ })).toBeVisible()
  await showsIn('light', 'light')
  await tab.getByRole('button', { name: /^Theme: system/ }).click()
  await tab.getByRole('button', { name: /^Theme: light/ }).click()
  await showsIn('light', 'dark')
  await page.emulateMedia({ media: 'print' })
  await expect(html).toHaveCSS('background-color', 'rgb(255, 255, 255)')
})

/** The contrast between a control's border and its background, as WCAG defines it. Runs in the page. */
function contrastOfBorder(control: HTMLElement) {
  const paint = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
  const { borderTopColor, backgroundColor } = getComputedStyle(control)
  const [one = 0, other = 0] = [borderTopColor, backgroundColor].map((color) => {
    paint.fillStyle = color
    paint.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = [...paint.getImageData(0, 0, 1, 1).data].map((part) =>
      part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  })
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

test('a box that is not checked is seen in both themes', async ({ page }) => {
  const id = await anOwner(page)
  await page.goto(projectPath('invite', id))
  const box = page.getByRole('checkbox', { name: 'Editor' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await box.evaluate(contrastOfBorder), colorScheme).toBeGreaterThan(3)
  }
})

test('under forced colours, chosen and focused elements look different', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  const id = await anOwner(page)
  await page.goto(projectPath('users', id))
  await expect(page.getByRole('row', { name: /bob-/ })).toBeVisible()
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const differ = async (one: Locator, other: Locator) =>
    expect(await drawn(one)).not.toEqual(await drawn(other))
  await differ(link('Users'), link('Settings'))
  const canvas = await page.locator('body').evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.backgroundColor = 'Canvas'
    const { backgroundColor } = getComputedStyle(probe)
    probe.remove()
    return backgroundColor
  })
  const meter = page
    .getByText('2 of 20 seats, including 1 pending')
    .locator('xpath=following-sibling::div')
  expect((await drawn(meter)).borderTopWidth).not.toBe('0px')
  for (const bar of await meter.locator('div').all())
    expect((await drawn(bar)).backgroundColor).not.toBe(canvas)
  for (const words of ['Owner', 'You'])
    expect(
      (await drawn(page.getByText(words, { exact: true }).filter({ visible: true })))
        .borderTopWidth,
    ).not.toBe('0px')

  await page.getByRole('button', { name: /^Actions for/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await differ(page.getByRole('menuitem').first(), page.getByRole('menuitem').last())
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Invite user' }).click()
  await differ(link('One person'), link('Several at once'))
  await page.getByRole('button', { name: 'Send invitation' }).click()
  const field = page.getByLabel('Email', { exact: true })
  await expect(field).toBeFocused()
  expect(Number.parseFloat((await drawn(field)).outlineWidth)).toBeGreaterThanOrEqual(2)
})

test('with reduced motion, no menu, dialog or screen is animated', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(() => {
    const moves: string[] = []
    Object.assign(window, { moves })
    const note = ({ target }: Event) => {
      const { animationDuration, transitionDuration } = getComputedStyle(target as Element)
      if (Number.parseFloat(animationDuration) > 0 || Number.parseFloat(transitionDuration) > 0)
        moves.push((target as Element).outerHTML.slice(0, 160))
    }
    for (const event of ['animationstart', 'transitionrun'])
      document.addEventListener(event, note, true)
  })
  const id = await anOwner(page)
  await page.goto(projectPath('users', id))
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke invitation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Invite user' }).hover()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Switch project$/ }).click()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
  expect(await page.evaluate(() => (window as unknown as { moves: string[] }).moves)).toEqual([])
})

test('a printed billing page shows invoices in black on white, no buttons', async ({ page }) => {
  const id = await anOwner(page)
  await page.goto(projectPath('billing', id))
  await expect(page.getByRole('row', { name: /\$10\.00/ })).toBeVisible()
  // The printable width of an A4 page.
  await page.setViewportSize({ width: 718, height: 1000 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const part of ['banner', 'button', 'combobox'] as const)
    for (const found of await page.getByRole(part, { includeHidden: true }).all())
      await expect(found).toBeHidden()
  for (const menu of await page.locator('nav[aria-label=Menu]').all())
    await expect(menu).toBeHidden()
  await shows(page.getByRole('main'), 'Bridge renewal')
  await expect(page.getByText('Manage payment methods')).toBeHidden()
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.getByRole('row', { name: /\$10\.00/ })).toHaveCSS('display', 'table-row')
  await expect(page.getByText('$10.00', { exact: true })).toBeVisible()
  await expect(page.getByLabel(/^View invoice/)).toBeHidden()
})

test('a table that a phone stacks as cards is still read out as a table', async ({ page }) => {
  const id = await anOwner(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(projectPath('users', id))
  await expect(page.getByRole('row', { name: /bob-/ })).toBeVisible()
  const tree = await screenReaderTree(page)
  const count = (role: string) => tree.filter((node) => node.role === role).length
  expect(tree.filter(({ role }) => role === 'table').map(({ name }) => name)).toEqual(['Users'])
  expect([count('row'), count('columnheader'), count('cell') + count('gridcell')]).toEqual([
    3, 5, 10,
  ])
})

test('the page has a live region before it announces a result in it', async ({ page }) => {
  await page.goto('/reset-password')
  await page.getByLabel('Email', { exact: true }).fill('ann@example.com')
  const regions = async () =>
    (await screenReaderTree(page)).filter(({ live }) => live === 'polite').length
  const before = await regions()
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await shows(page, /on its way/)
  expect(await regions()).toBe(before)
})

test('screens stay whole when the text is twice as large', async ({ page }) => {
  const id = await anOwner(page)
  const client = await page.context().newCDPSession(page)
  await client.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  const ofProject = ['users', 'invite', 'billing', 'changePlan', 'managePaymentMethods', 'activity']
  for (const path of [
    '/dashboard',
    '/profile',
    '/create-plan',
    ...ofProject.map((name) => projectPath(name as ProjectPathName, id)),
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-size', '44px')
    await expect(page.getByText('Loading', { exact: true })).toHaveCount(0)
    expect(await page.evaluate(findFaults)).toEqual([])
  }
})
