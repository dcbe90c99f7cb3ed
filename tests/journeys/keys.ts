import type { Locator, Page } from '@playwright/test'
import { expect } from './visitor.ts'

/** Moves on by Tab until the control has the focus, as somebody without a mouse would; wherever the focus comes to is seen. */
export async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(control).toBeVisible()
  for (let steps = 0; steps < 120; steps++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
    expect(await page.evaluate(findFocusFault)).toBe('')
  }
  throw new Error(`${key} never came to ${control.toString()}`)
}

export async function type(page: Page, label: string | RegExp, text: string) {
  await tabTo(page, page.getByLabel(label, { exact: true }))
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

/** A screen that is come to begins at its heading. */
export async function expectScreen(page: Page, heading: string | RegExp) {
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
}

/** Wherever Tab goes, it stays inside. */
export async function expectHeld(page: Page, dialog: Locator) {
  let held = 0
  for (let steps = 0; steps < 12; steps++) {
    await page.keyboard.press(steps < 8 ? 'Tab' : 'Shift+Tab')
    // Past the last control the browser's own are next, and then the first again.
    const where = await dialog.evaluate((element) =>
      element.contains(document.activeElement) ? 'inside' : document.activeElement!.tagName,
    )
    expect(['inside', 'BODY']).toContain(where)
    if (where === 'inside') held++
    expect(await page.evaluate(findFocusFault)).toBe('')
  }
  expect(held).toBeGreaterThan(3)
}

/** Why the focus can't be seen, or nothing. Inside a frame it is the frame's to show. */
function findFocusFault() {
  const element = document.activeElement
  if (!element || element === document.body || element instanceof HTMLIFrameElement) return ''
  const name = element.outerHTML.slice(0, 160)
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
