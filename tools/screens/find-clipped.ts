import type { Page } from '@playwright/test'

/** A sentence for each text that is cut off, and one if the page scrolls sideways. */
export function findClipped(page: Page): Promise<string[]> {
  // Runs in the page, so it holds everything it needs.
  return page.evaluate(() => {
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`)
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const words = node.textContent!.trim()
      const parent = node.parentElement!
      if (
        !words ||
        !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
        isForReadersOnly(parent)
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const beyond = cut(range.getBoundingClientRect(), parent)
      if (beyond) found.push(`${quoted(words)} ${beyond}`)
    }
    for (const field of document.querySelectorAll(
      'input:not([type=checkbox], [type=radio]), select',
    )) {
      const tooWide = excessOf(field)
      if (tooWide > 1)
        found.push(`${quoted(shownIn(field))} is ${Math.ceil(tooWide)} px too wide for its field`)
    }
    return [...new Set(found)]

    /** Says how far a text passes an edge that hides it or the edge of a visible box, or ''. */
    function cut(text: DOMRect, parent: Element) {
      for (
        let box: Element | null = parent;
        box && box !== document.body;
        box = box.parentElement
      ) {
        const { overflowX, overflowY, textOverflow, display, borderStyle, backgroundColor } =
          getComputedStyle(box)
        // An ellipsis is no fault if pointing at it shows the whole text.
        if (textOverflow === 'ellipsis' && (box as HTMLElement).title === box.textContent) return ''
        if (display === 'inline' || display === 'contents') continue
        const edge = box.getBoundingClientRect()
        const [x, y] = [
          Math.max(text.right - edge.right, edge.left - text.left),
          Math.max(text.bottom - edge.bottom, edge.top - text.top),
        ]
        const isDrawn = borderStyle !== 'none' || backgroundColor !== 'rgba(0, 0, 0, 0)'
        const isHidden = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
        if (x > 1 && (isHidden(overflowX) || (overflowX === 'visible' && isDrawn)))
          return `is cut off or sticks out by ${Math.ceil(x)} px`
        if (y > 1 && isHidden(overflowY)) return `is cut off by ${Math.ceil(y)} px in height`
        if (overflowX === 'auto' || overflowX === 'scroll') return ''
      }
      return ''
    }

    function isForReadersOnly(element: Element) {
      for (let box: Element | null = element; box; box = box.parentElement) {
        const { width, height } = box.getBoundingClientRect()
        if (getComputedStyle(box).position === 'absolute' && width <= 1 && height <= 1) return true
      }
      return false
    }

    function shownIn(field: Element) {
      if (field instanceof HTMLSelectElement) return field.selectedOptions[0]?.text ?? ''
      return (field as HTMLInputElement).value || (field as HTMLInputElement).placeholder
    }

    function excessOf(field: Element) {
      const { font, color, paddingLeft, paddingRight } = getComputedStyle(field)
      if (!field.checkVisibility() || isForReadersOnly(field) || color === 'rgba(0, 0, 0, 0)')
        return 0
      const pen = document.createElement('canvas').getContext('2d')!
      pen.font = font
      return (
        pen.measureText(shownIn(field)).width -
        (field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight))
      )
    }

    function quoted(words: string) {
      return `“${words.length > 60 ? `${words.slice(0, 60)}…` : words}”`
    }
  })
}
