import type { Browser, Page } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../../config/languages.ts'
import { paths } from '../../contract/paths.ts'
import type { Scene } from '../scene/scene.ts'
import { screens } from '../screens/list.ts'
import { show } from '../screens/looks.ts'
import type { visitorsOf } from '../screens/visitors.ts'

type Visitors = ReturnType<typeof visitorsOf>

const folder = join(import.meta.dirname, '..', '..', 'client', 'public', 'front')
const sizes = {
  wide: { width: 1280, height: 800, deviceScaleFactor: 1 },
  phone: { width: 390, height: 500, deviceScaleFactor: 2 },
}

/** Draws what /welcome shows of the product, and what links to the pages for visitors show. */
export async function drawFront(browser: Browser, visitors: Visitors, { url }: Scene) {
  const save = (name: string, picture: Buffer) => writeFileSync(join(folder, name), picture)
  for (const language of Object.keys(languages) as Parameters<Visitors['visit']>[1][]) {
    mkdirSync(join(folder, language), { recursive: true })
    const home = await visitors.visit(screens.subscription, language)
    const devtools = await home.context().newCDPSession(home)
    for (const [size, of] of Object.entries(sizes))
      for (const colorScheme of ['light', 'dark'] as const) {
        await show(home, { ...of, colorScheme })
        await devtools.send('Emulation.setDeviceMetricsOverride', { ...of, mobile: false })
        const { data } = await devtools.send('Page.captureScreenshot')
        save(`${language}/home-${size}-${colorScheme}.webp`, await asWebp(home, data))
      }
    await home.close()
  }
  const page = await browser.newPage({
    baseURL: url,
    viewport: { width: 1200, height: 630 },
    colorScheme: 'light',
  })
  for (const name of ['welcome', 'pricing'] as const) {
    await page.goto(`/en${paths[name]}`, { waitUntil: 'networkidle' })
    save(`share-${name}.png`, await page.screenshot())
  }
  await page.close()
}

/** Only the browser makes WebP here. */
async function asWebp(page: Page, png: string) {
  const data = await page.evaluate(async (png) => {
    const picture = new Image()
    picture.src = `data:image/png;base64,${png}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.naturalWidth
    canvas.height = picture.naturalHeight
    canvas.getContext('2d')!.drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 0.8).split(',')[1]!
  }, png)
  return Buffer.from(data, 'base64')
}
