import type { Page } from '@playwright/test'

/** Serves the page the app as if its source were another one, by a pattern of the built code. */
export async function rewritten(page: Page, pattern: RegExp, replacement: string) {
  await page.route('**/assets/*.js', async (route) => {
    const code = await (await route.fetch()).text()
    const body = code.replace(pattern, replacement)
    await route.fulfill({ contentType: 'text/javascript', body })
  })
}
