// npm run pictures: draws the README's pictures in docs/pictures/ and those of the pages for visitors
// from the running product.
import { chromium, type Browser } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '../find-browser.ts'
import { openScene } from '../scene/scene.ts'
import { screens } from '../screens/list.ts'
import { looks, show } from '../screens/looks.ts'
import { visitorsOf } from '../screens/visitors.ts'
import { drawFront } from './front.ts'
import { filmWalk } from './walk.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures')
mkdirSync(folder, { recursive: true })
const scene = await openScene()
const browser = await chromium.launch(await findBrowser())
const visitors = visitorsOf(browser, scene)
const home = await visitors.visit(screens.subscription, 'en')
const people = await visitors.visit(screens.users, 'en')
for (const theme of ['light', 'dark'] as const) {
  await show(home, looks[`wide-${theme}`])
  await show(people, looks[`narrow-${theme}`])
  const pictures = [await home.screenshot(), await people.screenshot()]
  writeFileSync(join(folder, `product-${theme}.png`), await compose(browser, pictures, theme))
}
await drawFront(browser, visitors, scene)
writeFileSync(join(folder, 'walk.gif'), await filmWalk(browser, scene))
await browser.close()
await scene.stop()

/** Puts the wide picture into a window and the narrow one into a phone in front of it. */
async function compose(browser: Browser, pictures: Buffer[], theme: 'light' | 'dark') {
  const [wide, phone] = pictures.map((png) => `data:image/png;base64,${png.toString('base64')}`)
  const page = await browser.newPage({ viewport: { width: 1400, height: 880 } })
  const edge = theme === 'light' ? '#cdd9de' : '#3a4550'
  await page.setContent(`<style>
body { margin: 0; background: ${theme === 'light' ? '#e8f0f2' : '#10171c'} }
img { position: absolute; outline: 1px solid ${edge}; box-shadow: 0 24px 60px -24px #0009 }
</style>
<img src="${wide}" style="left: 40px; top: 40px; width: 1160px; border-radius: 12px">
<img src="${phone}" style="left: 1070px; top: 210px; width: 290px; border-radius: 24px">`)
  const picture = await page.screenshot()
  await page.close()
  return picture
}
