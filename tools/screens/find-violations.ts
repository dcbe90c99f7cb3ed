import type { Frame, Page } from '@playwright/test'
import axe from 'axe-core'

const rules: axe.RunOptions = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  resultTypes: ['violations'],
  // `findViolations` runs it in each frame.
  iframes: false,
}

/** Returns a line for each place where axe finds a fault. */
export async function findViolations(page: Page) {
  const found = await Promise.all(
    page
      .frames()
      // A frame that shows a mail runs no script.
      .filter((frame) => frame.url() !== 'about:srcdoc')
      .map((frame) => findInFrame(frame, { ...rules, preload: frame === page.mainFrame() })),
  )
  return found.flat()
}

/** With `preload` axe fetches the style sheets again to read them, which a frame may forbid. */
async function findInFrame(frame: Frame, options: axe.RunOptions) {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
  return frame.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
  }, options)
}
