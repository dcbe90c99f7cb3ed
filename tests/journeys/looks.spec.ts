import { on } from '#contract/modules.ts'
import { expect, test, type Page } from '@playwright/test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFromNpm } from '../../tools/find-browser.ts'
import { openScene, type Scene } from '../../tools/scene/scene.ts'
import { screens, type ScreenName } from '../../tools/screens/list.ts'
import { fullPage, looks, show } from '../../tools/screens/looks.ts'
import { visitorsOf } from '../../tools/screens/visitors.ts'

// After an intended change of looks, run `npm run looks` and review the changed pictures.

const main = [
  'welcome',
  'pricing',
  'signIn',
  'signUp',
  'dashboard',
  'createPlan',
  'subscription',
  'users',
  'permissions',
  'invite',
  'settings',
  'billing',
  'managePaymentMethods',
  'profile',
] satisfies ScreenName[]

/** The modules that were on when the pictures were drawn. */
const drawnWith = join(import.meta.dirname, 'looks', 'modules.txt')
const modules = on.join('\n')
const isDrawn = existsSync(drawnWith) && readFileSync(drawnWith, 'utf8').trim() === modules

test.skip(!isFromNpm, 'another browser draws otherwise')
test.beforeEach(() => {
  const hasOthers = !isDrawn && !isDrawing()
  test.skip(hasOthers, 'the menu has other modules: npm run looks draws the pictures with them')
})
// The tests run one after another, because they share a scene.
test.describe.configure({ mode: 'default' })

let scene: Scene
let visitors: ReturnType<typeof visitorsOf>

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000)
  scene = await openScene()
  visitors = visitorsOf(browser, scene)
})

test.afterAll(async () => {
  await scene?.stop()
  if (isDrawing()) writeFileSync(drawnWith, `${modules}\n`)
})

for (const name of main)
  test(`the screen ${name} matches its pictures`, async () => {
    const page = await visitors.visit(screens[name], 'en')
    for (const look of ['wide-light', 'narrow-dark'] as const) {
      await show(page, looks[look])
      await calm(page)
      const options = { fullPage: await fullPage(page) }
      await expect.soft(page).toHaveScreenshot(`${name}-${look}.png`, options)
    }
    await page.close()
  })

function isDrawing() {
  return test.info().config.updateSnapshots === 'all'
}

/** Replaces what differs in every run: ids and their colours, invoice numbers, times of day. */
function calm(page: Page) {
  return page.evaluate(() => {
    // A picture of the product is drawn when that has changed.
    for (const picture of document.querySelectorAll<HTMLElement>('picture'))
      picture.style.visibility = 'hidden'
    for (const face of document.querySelectorAll<HTMLElement>('.tinted'))
      face.style.setProperty('--hue', '222')
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node
        .nodeValue!.replaceAll(/\b[a-z\d]{20}\b/g, 'a1b2c3d4e5f6g7h8i9j0')
        .replaceAll(/\b[A-Z\d]{8}-(\d{4})\b/g, 'A1B2C3D4-$1')
        .replaceAll(/\b\d{1,2}:\d\d\b/g, '9:00')
      if (text !== node.nodeValue) node.nodeValue = text
    }
  })
}
