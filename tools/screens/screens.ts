import { language as languages } from '../../contract/fields.ts'
import { chromium, type Page } from '@playwright/test'
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser } from '../find-browser.ts'
import { openScene } from '../scene/scene.ts'
import { writeSheets } from './contact-sheet.ts'
import { findClipped } from './find-clipped.ts'
import { findForeign } from './find-foreign.ts'
import { findGlyphs } from './find-glyphs.ts'
import { findViolations } from './find-violations.ts'
import { isOfSandbox, screens, type Screen, type ScreenName } from './list.ts'
import { fullPage, looks, looksOfEnglish, show, type Look } from './looks.ts'
import { isMail, mailNames, openMail } from './mails.ts'
import { visitorsOf } from './visitors.ts'

const { values } = parseArgs({
  options: { language: { type: 'string' }, screen: { type: 'string' } },
})
const chosenLanguages = choose(languages.options, values.language)
const chosenScreens = choose(
  [...(Object.keys(screens) as ScreenName[]), ...mailNames],
  values.screen,
)
const folder = join(import.meta.dirname, '..', '..', 'screens')

const scene = await openScene()
const browser = await chromium.launch(await findBrowser())
const visitors = visitorsOf(browser, scene)
let problems = 0
for (const language of chosenLanguages) {
  const own = join(folder, language)
  if (!values.screen) rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  const shown = chosenScreens.filter((name) => language === 'en' || !isOfSandbox(name))
  for (const name of shown) {
    const page = isMail(name)
      ? await openMail(browser, name, language)
      : await visitors.visit(screens[name], language)
    const found = [
      ...(await findForeign(page, language)),
      ...(await picture(page, join(own, name), looksOf(language), screenOf(name))),
      ...(await findGlyphs(page, language)),
    ]
    for (const problem of new Set(found))
      console.log(`${language.padEnd(6)} ${name.padEnd(22)} ${problem}`)
    problems += new Set(found).size
    await page.close()
  }
  const sheets = await writeSheets(browser, own, shown, Object.keys(looksOf(language)))
  for (const sheet of sheets) console.log(relative('.', sheet))
}
await browser.close()
await scene.stop()
console.log(problems === 0 ? 'Nothing is wrong on them.' : `${problems} things are wrong on them.`)
process.exit(problems === 0 ? 0 : 1)

/** Saves a picture in every look, and returns what is cut off and what axe finds. */
async function picture(page: Page, file: string, looks: Record<string, Look>, screen?: Screen) {
  const found: string[] = []
  for (const [name, look] of Object.entries(looks)) {
    await show(page, look)
    await screen?.reopen?.(page)
    // Otherwise the bar at the top is drawn where the page was scrolled to.
    await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({
      path: `${file}-${name}.jpg`,
      quality: 80,
      fullPage: await fullPage(page),
      animations: 'disabled',
    })
    // Mails have no landmarks and no headings.
    if (screen) found.push(...(await findViolations(page)).map((problem) => `${name}: ${problem}`))
    if (look.colorScheme === 'light')
      found.push(...(await findClipped(page)).map((problem) => `at ${look.width} px: ${problem}`))
  }
  return found
}

function screenOf(name: (typeof chosenScreens)[number]) {
  return isMail(name) ? undefined : screens[name]
}

function looksOf(language: string) {
  return language === 'en' ? looksOfEnglish : looks
}

function choose<Name extends string>(names: Name[], wanted: string | undefined) {
  const chosen = names.filter((name) => wanted === undefined || name === wanted)
  if (chosen.length > 0) return chosen
  console.error(`There is no ${wanted}; there are ${names.join(', ')}.`)
  process.exit(1)
}
