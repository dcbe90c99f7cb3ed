import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asModule, asStyles, readColors } from '../tools/screens/colors.ts'
import { readMark } from '../tools/screens/mark.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const colors = readColors(read('client/theme.css'))

test('colors are turned into what browsers show', () => {
  const css = `
    --color-white: light-dark(oklch(1 0 0), oklch(0 0 0));
    --color-red: light-dark(oklch(0.62796 0.25768 29.234), oklch(0.86644 0.29483 142.4953));
    --color-veil: light-dark(oklch(0 0 0 / 0.4), oklch(0 0 0 / 0.5));`
  expect(readColors(css)).toEqual({ white: ['#ffffff', '#000000'], red: ['#ff0000', '#00ff00'] })
})

test.each([
  ['server/platform/colors.ts', asModule(colors)],
  ['sandbox/pages/assets/colors.css', asStyles(colors)],
])('%s has the colors of the theme; if not, run npm run icons', (file, expected) => {
  expect(read(file)).toBe(expected)
})

test('the mark stands in the colors of the theme, also where there is no theme', () => {
  const used = read('client/public/mark.svg').matchAll(/var\(--color-([\w-]+), (#\w+)\)/g)
  for (const [, name, fallback] of used)
    expect([name, fallback]).toEqual([name, colors[name!]?.[0]])
})

test('icons are made of a mark of one form alone, and another is refused in words', () => {
  const ground = (corners: string) => `<rect width="32" height="32"${corners} fill="#123456"/>`
  const start = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
  const drawing = '<g><circle cx="16" cy="16" r="8"/><path d="M8 8h16"/></g>'
  const mark = readMark(`${start}${ground(' rx="6"')}${drawing}</svg>\n`)
  expect(mark.square).toBe(`${start}${ground('')}${drawing}</svg>`)
  expect(mark.safe).toContain(`scale(.8) translate(-16 -16.5)">${drawing}</g>`)
  expect(mark.drawing).toBe(`${start}${drawing}</svg>`)
  for (const other of [
    `${start}${drawing}</svg>`,
    `${start.replace('32 32', '64 64')}${ground(' rx="6"')}${drawing}</svg>`,
  ])
    expect(() => readMark(other)).toThrow('client/public/mark.svg must be')
})
