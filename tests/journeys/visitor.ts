import type { CallName, CallOutput } from '#contract/calls.ts'
import type { Reason } from '#contract/refusals.ts'
import {
  expect,
  test as base,
  type BrowserContextOptions,
  type FrameLocator,
  type Locator,
  type Page,
  type Response,
} from '@playwright/test'
import { beyondContract, type Body } from '../against-contract.ts'
import { signedInAs } from './people.ts'

export type Visitors = {
  /** Opens a page in another browser, signed in if a name is given. */
  another: (name?: string, options?: BrowserContextOptions) => Promise<Page>
}

/** Every page fails its test on any console error, failed request or unexpected refusal. */
export const test = base.extend<Visitors>({
  page: async ({ page }, use) => {
    const problems = watch(page)
    await use(page)
    // Ends the requests that a route of the test still holds.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(problems).toEqual([])
  },
  another: async ({ browser, baseURL }, use) => {
    const opened: { page: Page; problems: string[] }[] = []
    await use(async (name, options = {}) => {
      const context = await browser.newContext({ baseURL: baseURL!, locale: 'en-US', ...options })
      const page = await context.newPage()
      opened.push({ page, problems: watch(page) })
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

export const aPhone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }

const refusable = new WeakMap<Page, string[]>()

/** From now on these calls of the page, and what each screen counts, may be refused. */
export function mayRefuse(page: Page, ...calls: string[]) {
  refusable.set(page, [...calls, 'countNotices'])
}

export function watch(page: Page) {
  const problems: string[] = []
  const isExpected = (url: string) =>
    refusable
      .get(page)
      ?.some((call) => url.endsWith(`/${call}`) || url.includes(`/sandbox/stripe/v1/${call}`))
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Chromium gives this warning when the machine stalls for seconds while a page opens.
    if (/was preloaded using link preload but not used/.test(message.text())) return
    if (!isExpected(message.location().url))
      problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('requestfailed', (request) => {
    // A browser that leaves a page aborts the requests of that page.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      problems.push(`request failed: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !isExpected(response.url()))
      problems.push(`${response.status()}: ${response.url()}`)
    void judge(response)
  })

  async function judge(response: Response) {
    const [, name] = /\/api\/(\w+)$/.exec(response.url()) ?? []
    // A page that its visitor has left has no answers any more.
    const body = name && ((await response.json().catch(() => undefined)) as Body | undefined)
    const beyond = body && beyondContract(name, body)
    if (beyond) problems.push(beyond)
  }
  return problems
}

/** Holds requests back until the returned function is called. */
export async function hold(page: Page, url: string | RegExp) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held
    await route.fallback()
  })
  return letGo
}

/** Waits until the page has drawn the data that has arrived. */
export function nextFrames(page: Page) {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Says to the page that its tab is hidden, or is not. */
export function hide(page: Page, hidden: boolean) {
  return page.evaluate((hidden) => {
    const shown = { hidden, visibilityState: hidden ? 'hidden' : 'visible' }
    for (const [name, value] of Object.entries(shown))
      Object.defineProperty(document, name, { configurable: true, value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

/** Calls `act`, and waits until the page has drawn the answer to this request. */
export async function answered(page: Page, url: string | RegExp, act: () => unknown) {
  const answer = page.waitForResponse(url)
  await act()
  await (await answer).finished()
  await nextFrames(page)
}

/** Waits until all of the texts are visible. */
export async function shows(where: Page | Locator | FrameLocator, ...texts: (string | RegExp)[]) {
  for (const text of texts) await expect(where.getByText(text)).toBeVisible()
}

/** Presses a button or calls `act`, while the page watches for a message that soon disappears. */
export async function expectPassing(page: Page, text: string, act: string | (() => unknown)) {
  await Promise.all([
    page.waitForFunction((text) => document.body.innerText.includes(text), text),
    typeof act === 'string' ? page.getByRole('button', { name: act }).click() : act(),
  ])
}

/** Changes what the server answers to a call, on its way to the page. */
export async function changeAnswers<Name extends CallName>(
  page: Page,
  name: Name,
  change: (result: CallOutput<Name>) => void,
) {
  await page.route(`**/api/${name}`, async (route) => {
    const response = await route.fetch()
    const { result } = (await response.json()) as { result: CallOutput<Name> }
    change(result)
    await route.fulfill({ response, json: { result } })
  })
}

/** Changes what the app reads about the opened project, which may come with the session. */
export async function changeProject(
  page: Page,
  change: (subscription: CallOutput<'getSubscription'>['subscription']) => void,
) {
  await changeAnswers(page, 'getSubscription', ({ subscription }) => change(subscription))
  await changeAnswers(page, 'refreshSession', ({ subscription }) => {
    if (subscription) change(subscription)
  })
}

/**
 * Refuses the next calls in place of the server, until the returned function is called. The route
 * stays, because its removal may leave a request hanging that starts meanwhile.
 */
export async function refuseNext(page: Page, call: CallName, reason: Reason, times = 1) {
  const error = { status: 'FAILED_PRECONDITION', message: '', details: { reason } }
  let left = times
  mayRefuse(page, call, ...(refusable.get(page) ?? []))
  await page.route(`**/api/${call}`, (route) =>
    left-- > 0 ? route.fulfill({ status: 400, json: { error } }) : route.fallback(),
  )
  return () => void (left = 0)
}
