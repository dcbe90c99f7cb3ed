import type { Browser } from '@playwright/test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Screens on one sheet. A sheet with more of them is too large to view as one picture. */
const perSheet = 4

/** Writes `index.html` with every picture of a language, and contact sheets of the same. */
export async function writeSheets(
  browser: Browser,
  folder: string,
  names: string[],
  looks: string[],
) {
  const sheets = Array.from({ length: Math.ceil(names.length / perSheet) }, (_, index) =>
    names.slice(index * perSheet).slice(0, perSheet),
  )
  writeFileSync(join(folder, 'index.html'), pageOf(sheets, looks))
  const page = await browser.newPage({ viewport: { width: 1960, height: 1000 } })
  await page.goto(pathToFileURL(join(folder, 'index.html')).href)
  const files: string[] = []
  for (const [index, section] of (await page.locator('section').all()).entries()) {
    const file = join(folder, `sheet-${index + 1}.jpg`)
    await section.screenshot({ path: file, quality: 80 })
    files.push(file)
  }
  await page.close()
  return files
}

function pageOf(sheets: string[][], looks: string[]) {
  const row = (name: string) =>
    `<h2>${name}</h2><div>${looks
      .map(
        (look) =>
          `<a href="${name}-${look}.jpg"><img class="${look}" src="${name}-${look}.jpg" alt="${name}, ${look}"></a>`,
      )
      .join('')}</div>`
  return `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; font: 16px sans-serif; background: #888; color: #fff }
section { padding: 16px }
div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
h2 { font-size: 16px; margin: 16px 0 8px }
img { display: block; width: 640px; max-height: 900px; object-fit: cover; object-position: top }
img[class^=narrow], img[class^='3'] { width: 288px }
img[class^='6'], img[class^='7'], img[class^='8'] { width: 440px }
</style>
${sheets.map((names) => `<section>${names.map(row).join('\n')}</section>`).join('\n')}
`
}
