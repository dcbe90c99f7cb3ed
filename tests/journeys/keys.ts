import type { FrameLocator, Locator, Page } from '@playwright/test'
import { expect } from './visitor.ts'

/** Presses Tab until the control has the focus. Every control on the way must show its focus. */
export async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(control).toBeVisible()
  for (let steps = 0; steps < 120; steps++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
    expect(await page.evaluate(findFocusFault)).toBe('')
  }
  throw new Error(`${key} never came to ${control.toString()}`)
}

export async function type(
  page: Page,
  label: string | RegExp,
  text: string,
  where: Page | FrameLocator = page,
) {
  await tabTo(page, where.getByLabel(label, { exact: true }))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

export async function press(
  page: Page,
  role: 'button' | 'link',
  name: string | RegExp,
  key: 'Enter' | 'Space' = 'Enter',
) {
  await tabTo(page, page.getByRole(role, { name, exact: typeof name === 'string' }).first())
  await page.keyboard.press(key)
}

/** Checks that a new screen puts the focus on its heading, or in a field of its form. */
export async function expectScreen(page: Page, heading: string | RegExp) {
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await expect(page.locator('h1:focus, main form :is(input, textarea):focus')).toHaveCount(1)
}

/** Checks that Tab comes to every control of the screen or open dialog, and shows the focus. */
export async function expectTabWalk(page: Page) {
  const controls = await page.evaluateHandle(findControls)
  const count = await controls.evaluate(({ size }) => size)
  // Tab also stops in frames, in areas that scroll and once outside the page.
  for (let steps = 0; steps < count + 25; steps++) {
    if ((await controls.evaluate(({ size }) => size)) === 0) break
    await page.keyboard.press('Tab')
    expect(await page.evaluate(findFocusFault)).toBe('')
    await controls.evaluate((left) => left.delete(document.activeElement!))
  }
  const left = await controls.evaluate((left) => [...left].map(({ outerHTML }) => outerHTML))
  expect(left, 'controls that Tab does not come to').toEqual([])
}

/** The controls that Tab should reach: of a group of radio buttons, only the checked one. */
function findControls() {
  const root = document.querySelector('dialog:modal') ?? document
  const controls = root.querySelectorAll<HTMLElement>(
    'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex="0"]',
  )
  const isReached = (element: HTMLElement) =>
    element.tabIndex >= 0 &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('[inert]') &&
    !element.matches('[type=radio]:not(:checked)')
  return new Set<Element>([...controls].filter(isReached))
}

/** Says why the focus can't be seen, or returns ''. A frame shows its own focus. */
function findFocusFault() {
  const element = document.activeElement
  if (!element || element === document.body || element instanceof HTMLIFrameElement) return ''
  const name = element.outerHTML.slice(0, 160)
  const dialog = document.querySelector('dialog:modal')
  if (dialog && !dialog.contains(element)) return `outside the dialog: ${name}`
  // In the palette the chosen option shows the focus.
  if (element.hasAttribute('aria-activedescendant')) return ''
  const ring = [element, element.parentElement!]
    .map((near) => getComputedStyle(near))
    .find(({ outlineStyle }) => outlineStyle !== 'none')
  if (!ring || Number.parseFloat(ring.outlineWidth) < 2) return `no ring: ${name}`
  const { top, bottom, left, right, height } = element.getBoundingClientRect()
  const bar = document.querySelector('header')?.getBoundingClientRect()
  const isUnderBar =
    bar &&
    !element.closest('header, dialog, [role=menu]') &&
    top < bar.bottom &&
    getComputedStyle(document.querySelector('header')!).position === 'sticky' &&
    !element.matches('a[href="#main"]')
  if (isUnderBar && height < innerHeight - bar.bottom) return `under the top bar: ${name}`
  if (
    height < innerHeight &&
    (top < 0 || bottom > innerHeight + 1 || left < 0 || right > innerWidth + 1)
  )
    return `out of sight: ${name}`
  return ''
}
