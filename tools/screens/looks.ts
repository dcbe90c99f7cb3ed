import type { Page } from '@playwright/test'

export type Look = { width: number; height: number; colorScheme: 'light' | 'dark' }

export const wide = { width: 1280, height: 800 }
export const narrow = { width: 390, height: 844 }

export const looks = {
  'wide-light': { ...wide, colorScheme: 'light' },
  'wide-dark': { ...wide, colorScheme: 'dark' },
  'narrow-light': { ...narrow, colorScheme: 'light' },
  'narrow-dark': { ...narrow, colorScheme: 'dark' },
} satisfies Record<string, Look>

/** The widths at which English is also looked at, in the light theme. */
const between = [320, 360, 600, 768, 800, 1024, 1920]

/** Every language is looked at in `looks`, English at nine widths. */
export const looksOfEnglish: Record<string, Look> = {
  ...looks,
  ...Object.fromEntries(
    between.map((width) => [`${width}-light`, { width, height: 800, colorScheme: 'light' }]),
  ),
}

/** Shows the open page in another look. */
export async function show(page: Page, { width, height, colorScheme }: Look) {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Whether a picture shows more than the window: a dialog covers no more than that. */
export async function fullPage(page: Page) {
  return (await page.locator('dialog[open]').count()) === 0
}
