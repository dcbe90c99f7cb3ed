import type { Page } from '@playwright/test'
import { findViolations } from '../../tools/screens/find-violations.ts'
import { expect } from './visitor.ts'

/** 320 × 256 is what is left of a desktop screen at a zoom of 400 %. */
const widths = [320, 360, 390, 600, 768, 800, 1024, 1280, 1920]
const heightOf = (width: number) => (width === 320 ? 256 : width < 600 ? 844 : 800)
/** The widths at which axe checks both themes. */
const watched = new Set([390, 1280])

/** Checks the screen at every width, in both themes, without a reload. */
export async function expectOpenToAll(page: Page, only?: number) {
  const found: string[] = []
  for (const width of widths.filter((width) => only === undefined || width === only)) {
    await page.setViewportSize({ width, height: heightOf(width) })
    found.push(...at(width, await page.evaluate(findFaults)))
    found.push(...at(width, await page.evaluate(findBrokenWords)))
    // What is half under the top bar counts as too small to press.
    await page.evaluate(() => scrollTo(0, 0))
    for (const colorScheme of watched.has(width) ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme })
      found.push(
        ...at(width, await findViolations(page)).map((fault) => `${colorScheme}, ${fault}`),
      )
    }
  }
  expect(found).toEqual([])
}

function at(width: number, faults: string[]) {
  return faults.map((fault) => `${width} px: ${fault}`)
}

export async function expectNoViolations(page: Page) {
  expect(await findViolations(page)).toEqual([])
}

/** Finds faults that axe does not look for. Runs in the page. */
export function findFaults() {
  const faults: string[] = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) {
    const isOutside = (element: Element) => element.getBoundingClientRect().right > innerWidth
    const outside = [...document.body.querySelectorAll('*')]
      .filter(isOutside)
      .map(({ outerHTML }) => outerHTML.slice(0, 200))
    faults.push(`scrolls sideways, ${root.scrollWidth} px wide: ${outside.slice(0, 3).join(' ')}`)
  }
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element)
    if (element.clientWidth < 2 || !element.textContent.trim()) continue
    // An ellipsis is no fault if pointing at it shows the whole text.
    if (textOverflow === 'ellipsis' && element.title === element.textContent) continue
    const isCut =
      (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
      (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1)
    if (isCut && element.tagName !== 'SELECT')
      faults.push(`text is cut: ${element.outerHTML.slice(0, 200)}`)
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (/^[a-z]\w*(\.[a-z]\w*)+$/i.test(node.nodeValue!.trim()))
      faults.push(`a key stands in the place of its text: ${node.nodeValue}`)
    if (/\{\{\w+\}\}/.test(node.nodeValue!))
      faults.push(`a placeholder has no value: ${node.nodeValue}`)
  }
  const headings = [...document.querySelectorAll('h1')].map(({ textContent }) => textContent)
  if (headings.length !== 1) faults.push(`${headings.length} main headings`)
  else if (!document.title.includes(headings[0]!))
    faults.push(`the tab says “${document.title}”, the screen “${headings[0]}”`)
  const [first] = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, [tabindex="0"]',
  )
  const isOver = document.querySelector('dialog[open], [role=menu]')
  if (!isOver && document.querySelector('nav') && first?.getAttribute('href') !== '#main')
    faults.push('no way past the menu comes first')
  return faults
}

/** Finds words that break in the middle, although they could stand on a line of their own. */
function findBrokenWords() {
  const faults: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(node)
    if (getComputedStyle(node.parentElement!).whiteSpace === 'nowrap') continue
    if (range.getClientRects().length < 2) continue
    // The random code in a link has no words, and a link may break anywhere.
    if (/^https?:/.test(node.nodeValue!)) continue
    for (const { 0: word, index } of node.nodeValue!.matchAll(/[\p{Script=Latin}\p{N}@.]+/gu)) {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
      const width = lines.reduce((sum, line) => sum + line.width, 0)
      let block = node.parentElement!
      while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement!
      // A letter with a look of its own is a rectangle of its own on the same line.
      const isBroken = lines.some(
        ({ top, bottom }) => top >= lines[0]!.bottom || bottom <= lines[0]!.top,
      )
      const { paddingLeft, paddingRight } = getComputedStyle(block)
      // Quotation marks need room beside a word. A long name may have to break, a short word never.
      const room =
        block.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      if (isBroken && width < Math.max(room - 24, 160))
        faults.push(`the word “${word}” breaks in ${block.outerHTML.slice(0, 200)}`)
    }
  }
  return faults
}

/** The accessibility tree that the browser gives a screen reader. */
export async function screenReaderTree(page: Page) {
  const client = await page.context().newCDPSession(page)
  const { nodes } = await client.send('Accessibility.getFullAXTree')
  await client.detach()
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties = [] }) => ({
      role: role?.value as string,
      name: name?.value as string,
      live: properties.find((property) => property.name === 'live')?.value.value as
        | string
        | undefined,
    }))
}
