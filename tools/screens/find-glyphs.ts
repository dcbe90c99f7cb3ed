import type { Page } from '@playwright/test'

/** Fonts besides the app's own. Open Sans and JetBrains Mono stand for the system's Latin fonts. */
const families: Record<string, string> = {
  Hans: 'Noto Sans SC',
  Hant: 'Noto Sans TC',
  Jpan: 'Noto Sans JP',
  Kore: 'Noto Sans KR',
}

/** A sentence for each character without a glyph, and for each font of another language. */
export async function findGlyphs(page: Page, language: string): Promise<string[]> {
  const { script = '' } = new Intl.Locale(language).maximize()
  const allowed = [
    'Inter Variable',
    'Inter',
    'Open Sans',
    'JetBrains Mono',
    families[script],
  ].filter((family) => family !== undefined)
  // A Chinese name may stand on any screen.
  const skipped = families[script] ? '' : String.raw`\p{Script=Han}`
  const others = (await fontsOf(page, skipped)).filter(
    (family) => !allowed.some((name) => family.startsWith(name)),
  )
  return [...others.map((family) => `something is drawn with ${family}`), ...(await missing(page))]
}

/**
 * Asks for the fonts of every element with a text, unless it is in a language of its own, or the
 * pattern `skipped` fits the text. The browser does not look into children.
 */
async function fontsOf(page: Page, skipped: string) {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  await page.evaluate((skipped) => {
    const isSkipped = new RegExp(skipped || '^$', 'u')
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
      node.textContent!.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
    )
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement!
      if (!isSkipped.test(element.textContent!)) element.setAttribute('data-text', '')
    }
  }, skipped)
  const { root } = await session.send('DOM.getDocument')
  const { nodeIds } = await session.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: '[data-text]:not(option, script, style, body [lang])',
  })
  const answers = await Promise.all(
    nodeIds.map((nodeId) => session.send('CSS.getPlatformFontsForNode', { nodeId })),
  )
  await session.detach()
  const families = new Set(
    answers.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName)),
  )
  if (families.size === 0) throw new Error('Nothing is drawn with any font.')
  return [...families]
}

/** Returns the characters that the browser draws like a character that does not exist. */
function missing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 32
    const pen = canvas.getContext('2d', { willReadFrequently: true })!
    pen.font = `24px ${getComputedStyle(document.body).fontFamily}`
    const draw = (character: string) => {
      pen.clearRect(0, 0, 32, 32)
      pen.fillText(character, 2, 26)
      return pen.getImageData(0, 0, 32, 32).data.join()
    }
    const nothing = draw('\u{10fffe}')
    const characters = new Set(document.body.innerText.replaceAll(/[\s\p{C}]/gu, ''))
    return [...characters]
      .filter((character) => draw(character) === nothing)
      .map((character) => `no font has ${character}`)
  })
}
