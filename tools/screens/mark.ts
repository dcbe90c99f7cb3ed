import type { Shades } from './colors.ts'

/** What is wrong with a mark, in one sentence. */
export class UnfitMark extends Error {}

const form =
  /^(<svg [^>]*viewBox="0 0 32 32"[^>]*>)(<rect width="32" height="32" rx="[\d.]+" fill="[^"]+"\s*\/>)([^]+)(<\/svg>)\s*$/
const shapes =
  `svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop
  clipPath mask`.split(/\s+/)
/** A tag as XML wants it, or a character that belongs to none. */
const token = /<(\/?)([\w-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|[^\s<]|</g

/**
 * The drawings that are made of mark.svg: its ground to the edges for systems that cut icons to
 * their own shape, `safe` so small that no shape cuts into it, and what stands on the ground alone.
 */
export function readMark(source: string) {
  const parts = form.exec(source)
  if (!parts)
    throw new UnfitMark(
      'The mark must be <svg … viewBox="0 0 32 32">, then as its ground <rect width="32" height="32" rx="…" fill="…"/>, then the drawing on it.',
    )
  requireShapes(source)
  const [, start, rounded, drawing, end] = parts as unknown as [
    string,
    string,
    string,
    string,
    string,
  ]
  const ground = rounded.replace(/ rx="[\d.]+"/, '')
  const smaller = `<g transform="translate(16 16) scale(.8) translate(-16 -16.5)">${drawing}</g>`
  return {
    square: start + ground + drawing + end,
    safe: start + ground + smaller + end,
    drawing: start + drawing + end,
  }
}

/** Browsers draw the file only if every tag is closed, and the app puts it into its pages. */
function requireShapes(source: string) {
  const open: string[] = []
  for (const [text, closing, name, attributes = '', alone] of source.matchAll(token)) {
    if (!name) throw new UnfitMark(`The mark can't be drawn: “${text}” stands in no tag.`)
    if (!shapes.includes(name))
      throw new UnfitMark(`The mark has a <${name}>. It may have only ${shapes.join(', ')}.`)
    if (/\s(on\w+|[\w:]*href|style)=/i.test(attributes))
      throw new UnfitMark(`A <${name}> of the mark has a style, a link or a script.`)
    if (closing && open.pop() !== name)
      throw new UnfitMark(`The mark can't be drawn: </${name}> closes another tag.`)
    if (!closing && !alone) open.push(name)
  }
  if (open.length > 0)
    throw new UnfitMark(`The mark can't be drawn: <${open.pop()}> is not closed.`)
}

/** The mark with the theme's colors, for where there is no theme: `var(--color-accent, #006c8b)`. */
export function inColors(source: string, colors: Record<string, Shades>) {
  return source.replaceAll(/var\(--color-([\w-]+), #\w+\)/g, (_, name: string) => {
    const shades = colors[name]
    if (!shades)
      throw new UnfitMark(
        `The mark takes --color-${name}, which client/theme.css has not for both themes.`,
      )
    return `var(--color-${name}, ${shades[0]})`
  })
}
