import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asModule, asStyles, readColors } from '../tools/screens/colors.ts'
import { inColors, readMark } from '../tools/screens/mark.ts'
import { recolor } from '../tools/screens/recolor.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const css = read('client/theme.css')
const colors = readColors(css)

test('colors are turned into what browsers show', () => {
  const css = `
    --color-white: light-dark(oklch(1 0 0), oklch(0 0 0));
    --color-red: light-dark(oklch(0.62796 0.25768 29.234), oklch(0.86644 0.29483 142.4953));
    --color-veil: light-dark(oklch(0 0 0 / 0.4), oklch(0 0 0 / 0.5));`
  expect(readColors(css)).toEqual({ white: ['#ffffff', '#000000'], red: ['#ff0000', '#00ff00'] })
})

test.each([
  ['server/platform/colors.ts', asModule(css)],
  ['sandbox/pages/assets/colors.css', asStyles(css)],
])('%s has the colors of the theme; if not, run npm run icons', (file, expected) => {
  expect(read(file)).toBe(expected)
})

test('the mark stands in the colors of the theme, also where there is no theme', () => {
  const used = read('client/public/mark.svg').matchAll(/var\(--color-([\w-]+), (#\w+)\)/g)
  for (const [, name, fallback] of used)
    expect([name, fallback]).toEqual([name, colors[name!]?.[0]])
})

const start = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
const ground = (corners: string) => `<rect width="32" height="32"${corners} fill="#123456"/>`
const aMark = (drawing: string) => `${start}${ground(' rx="6"')}${drawing}</svg>\n`

test('icons are made of the ground and the drawing of a mark', () => {
  const drawing = '<g><circle cx="16" cy="16" r="8"/><path d="M8 8h16"/></g>'
  const mark = readMark(aMark(drawing))
  expect(mark.square).toBe(`${start}${ground('')}${drawing}</svg>`)
  expect(mark.safe).toContain(`scale(.8) translate(-16 -16.5)">${drawing}</g>`)
  expect(mark.drawing).toBe(`${start}${drawing}</svg>`)
})

test.each([
  ['has no ground', `${start}<path d="M8 8h16"/></svg>`, 'must be <svg'],
  ['has another size', aMark('<path d=""/>').replace('32 32">', '64 64">'), 'must be <svg'],
  ['leaves a tag open', aMark('<g><path d="M8 8h16"/>'), '</svg> closes another tag'],
  ['lacks the quotes of a value', aMark('<path d=M8/>'), 'stands in no tag'],
  ['has text', aMark('<text>A</text>'), 'has a <text>'],
  ['has a script', aMark('<path onload="alert(1)"/>'), 'a script'],
  ['has a picture of elsewhere', aMark('<image href="https://a.example"/>'), 'has a <image>'],
])('a mark that %s is refused in a sentence', (_, mark, sentence) => {
  expect(() => readMark(mark)).toThrow(sentence)
})

test('a mark follows the colors of the theme, and may take only those', () => {
  const filled = (name: string) => aMark(`<path fill="var(--color-${name}, #000000)"/>`)
  expect(inColors(filled('accent'), { accent: ['#123456', '#654321'] })).toContain('#123456')
  expect(() => inColors(filled('brand'), {})).toThrow('--color-brand')
})

test.each(['#0a6', '#ffdd00', '#ffffff', '#000000', '#777777', '#5b21b6', '#ff0000'])(
  'in the color %s all text can be read, in both themes',
  (hex) => {
    const shades = readColors(recolor(css, hex).css)
    expect(Object.keys(shades)).toEqual(Object.keys(colors))
    for (const theme of [0, 1])
      for (const [text, on] of [
        ['on-accent', 'accent'],
        ['on-accent', 'accent-hover'],
        ['accent', 'page'],
        ['accent-ink', 'accent-soft'],
        ['accent-ink', 'sunken'],
      ] as const)
        expect(
          contrast(shades[text]![theme]!, shades[on]![theme]!),
          `${text} on ${on}`,
        ).toBeGreaterThan(4.5)
  },
)

test('a brand’s color that is dark enough is taken as it is', () => {
  for (const hex of ['#5b21b6', '#006c8b', '#102030'])
    expect(readColors(recolor(css, hex).css)['accent']![0]).toBe(hex)
})

/** The contrast of two colors as WCAG defines it. */
function contrast(one: string, other: string) {
  const [dark, light] = [one, other].map(luminance).toSorted((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
