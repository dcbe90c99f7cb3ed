import type { UserRecord } from '../../contract/entities.ts'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { today, type Scene } from '../scene/scene.ts'
import { askAt, callerOf, password } from '../../operate/seed/people.ts'
import type { Screen } from './list.ts'
import { wide } from './looks.ts'

/** Opens a browser for each person in the list of screens, and one that is signed out. */
export function visitorsOf(browser: Browser, scene: Scene) {
  const contexts = new Map<string | undefined, Promise<BrowserContext>>()
  const tokens = new Map<string, string>()

  async function open(as: string | undefined) {
    const context = await browser.newContext({
      baseURL: scene.url,
      locale: 'en-US',
      timezoneId: 'UTC',
    })
    if (as) tokens.set(as, await signIn(context, as))
    return context
  }

  return {
    /** Opens the screen as its person and in this language, and waits until it is complete. */
    async visit({ as, path, open: act }: Screen, language: NonNullable<UserRecord['language']>) {
      if (!contexts.has(as)) contexts.set(as, open(as))
      const page = await (await contexts.get(as)!).newPage()
      const token = as && tokens.get(as)
      if (token) await callerOf(askAt(scene.url), token)('saveUser', { language })
      await page.clock.setFixedTime(today)
      await page.addInitScript((code) => localStorage.setItem('language', code), language)
      await page.setViewportSize(wide)
      await page.goto(path(scene))
      await settled(page)
      await act?.(page)
      return page
    },
  }
}

async function signIn({ request }: BrowserContext, email: string) {
  const answer = await request.post('/api/signIn', { data: { data: { email, password } } })
  return ((await answer.json()) as { result: { token: string } }).result.token
}

/** Waits until no spinner, skeleton or font is loading, and the bell knows its number. */
export async function settled(page: Page) {
  await page.locator('h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.animate-late') === null)
  await page.waitForFunction(() => {
    const bell = document.querySelector('header .lucide-bell')?.closest('button')
    return !bell || /\d/.test(bell.ariaLabel ?? '')
  })
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}
