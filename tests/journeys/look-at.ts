import { expect, type Page } from '@playwright/test'
import { expectOpenToAll } from './check-screen.ts'
import { expectTabWalk } from './keys.ts'
import type { Look } from './screens.ts'
import type { Stage } from './stage.ts'
import { mayRefuse } from './visitor.ts'

/** Goes to a screen, within the app if it can, and checks it for faults that a program can find. */
export async function lookAt(look: Look, stage: Stage) {
  const page = stage.page(look.who)
  mayRefuse(page, ...(look.refused ?? []))
  await page.setViewportSize({ width: look.width ?? 1280, height: 800 })
  await look.before?.(page)
  await open(page, look.path(stage))
  await isThere(page)
  await look.act?.(page)
  await isThere(page)
  await expectOpenToAll(page, look.width)
  await page.setViewportSize({ width: look.width ?? 1280, height: 800 })
  // In a menu the arrow keys move the focus, and Tab leaves it.
  if ((await page.getByRole('menu').count()) === 0) await expectTabWalk(page)
  stage.expectCalm(look.who)
}

async function isThere(page: Page) {
  await expect(page.locator('h1:not([data-left])')).toBeVisible()
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0)
}

async function open(page: Page, path: string) {
  const { pathname, search } = new URL(path, 'http://localhost')
  const here = page.url() === 'about:blank' ? undefined : new URL(page.url())
  if (!here || here.pathname === pathname) return page.goto(pathname + search)
  await page.evaluate((to) => {
    document.querySelector('h1')?.setAttribute('data-left', '')
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, pathname + search)
}
