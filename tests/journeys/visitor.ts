import type { Reason } from '#contract/refusals.ts'
import { expect, test as base, type Page } from '@playwright/test'

type KeptMail = { subject: string; links: string[] }

let count = 0

/** A page that fails its test on any console error, failed request or unexpected refusal. */
export const test = base.extend<{ expectedRefusals: string[] }>({
  expectedRefusals: [[], { option: true }],
  page: async ({ page, expectedRefusals }, use) => {
    const problems = watch(page, expectedRefusals)
    await use(page)
    // Requests that are still answered by the test itself are let go of with it.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(problems).toEqual([])
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
    // Said when the machine stood still for seconds between the page and its first words.
    if (/was preloaded using link preload but not used/.test(message.text())) return
    if (!isExpected(message.location().url))
      problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('requestfailed', (request) => {
    // Leaving a page gives up what it was still loading.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      problems.push(`request failed: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !isExpected(response.url()))
      problems.push(`${response.status()}: ${response.url()}`)
  })
  return problems
}

export function newAddress(name: string) {
  return `${name}-${process.pid}-${count++}@example.com`
}

/** Requests for something wait until what this gives is called. */
export async function hold(page: Page, url: string | RegExp) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

/** What has arrived is shown by then, if it is. */
export function nextFrames(page: Page) {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** Does what brings up a message that soon leaves by itself, and has seen it: the page watches for it, so that nobody can be too late. */
export async function expectPassing(page: Page, text: string, act: () => Promise<unknown>) {
  await Promise.all([
    page.waitForFunction((text) => document.body.innerText.includes(text), text),
    act(),
  ])
}

/** The link in the newest mail to an address. Of a sign-in in a new browser a mail comes at a time of its own. */
export async function mailedLink(page: Page, to: string) {
  const response = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(to)}`)
  const mails = (await response.json()) as KeptMail[]
  return mails.find(({ subject }) => !subject.startsWith('New sign-in'))!.links[0]!
}

/**
 * The next answers of a call are refusals that can't be had on demand; then it is the server's again. The route stays: taking it away
 * while other requests start may leave one of them hanging in the browser.
 */
export async function refuseNext(page: Page, call: string, reason: Reason, times = 1) {
  const error = { status: 'FAILED_PRECONDITION', message: '', details: { reason } }
  let left = times
  await page.route(`**/api/${call}`, (route) =>
    left-- > 0 ? route.fulfill({ status: 400, json: { error } }) : route.continue(),
  )
}
