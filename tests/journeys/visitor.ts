import type { Reason } from '#contract/refusals.ts'
import { expect, test as base, type BrowserContextOptions, type Page } from '@playwright/test'
import { signedInAs } from './people.ts'

type Options = BrowserContextOptions & { expectedRefusals?: string[] }

export type Visitors = {
  expectedRefusals: string[]
  /** Opens a page in another browser, signed in if a name is given. */
  another: (name?: string, options?: Options) => Promise<Page>
}

/** Every page fails its test on any console error, failed request or unexpected refusal. */
export const test = base.extend<Visitors>({
  expectedRefusals: [[], { option: true }],
  page: async ({ page, expectedRefusals }, use) => {
    const problems = watch(page, expectedRefusals)
    await use(page)
    // Ends requests that the test itself still answers.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(problems).toEqual([])
  },
  another: async ({ browser, baseURL }, use) => {
    const opened: { page: Page; problems: string[] }[] = []
    await use(async (name, { expectedRefusals = [], ...options } = {}) => {
      const context = await browser.newContext({ baseURL: baseURL!, locale: 'en-US', ...options })
      const page = await context.newPage()
      opened.push({ page, problems: watch(page, expectedRefusals) })
      if (name) await signedInAs(page, name)
      return page
    })
    for (const { page } of opened) {
      await page.context().unrouteAll({ behavior: 'ignoreErrors' })
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.context().close()
    }
    expect(opened.flatMap(({ problems }) => problems)).toEqual([])
  },
})

export { expect }

export function watch(page: Page, expectedRefusals: string[] = []) {
  const problems: string[] = []
  const isExpected = (url: string) =>
    expectedRefusals.some(
      (call) => url.endsWith(`/${call}`) || url.includes(`/sandbox/stripe/v1/${call}`),
    )
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Chromium warns so when the machine stands still for seconds while a page opens.
    if (/was preloaded using link preload but not used/.test(message.text())) return
    if (!isExpected(message.location().url))
      problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('requestfailed', (request) => {
    // A page that is left ends what it still loads.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      problems.push(`request failed: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !isExpected(response.url()))
      problems.push(`${response.status()}: ${response.url()}`)
  })
  return problems
}

/** Holds requests back until the returned function is called. */
export async function hold(page: Page, url: string | RegExp) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

/** Waits until the page has drawn what has arrived. */
export function nextFrames(page: Page) {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Acts and waits for a message that soon goes by itself, so the page itself watches for it. */
export async function expectPassing(page: Page, text: string, act: () => Promise<unknown>) {
  await Promise.all([
    page.waitForFunction((text) => document.body.innerText.includes(text), text),
    act(),
  ])
}

/**
 * Refuses the next calls in place of the server. The route stays, because removing it while other
 * requests start may leave one of them hanging in the browser.
 */
export async function refuseNext(page: Page, call: string, reason: Reason, times = 1) {
  const error = { status: 'FAILED_PRECONDITION', message: '', details: { reason } }
  let left = times
  await page.route(`**/api/${call}`, (route) =>
    left-- > 0 ? route.fulfill({ status: 400, json: { error } }) : route.continue(),
  )
}
