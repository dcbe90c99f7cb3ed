// npm run icons: draws the pictures of the mark in client/public, and writes the colors of the theme
// for what can't read it. All are committed. Run it when the mark, the product's name or a color
// changes.
import { product } from '../../config/product.ts'
import { chromium } from '@playwright/test'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { findBrowser } from '../find-browser.ts'
import { asModule, asStyles, readColors, readFont } from './colors.ts'
import { inColors, readMark, UnfitMark } from './mark.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'client', 'public')
const theme = join(root, 'client', 'theme.css')
const css = readFileSync(theme, 'utf8')
const colors = readColors(css)
const { mark, square, safe, drawing } = readOrEnd()
const font = createRequire(theme).resolve(readFont(css).file)

const browser = await chromium.launch(await findBrowser())
const page = await browser.newPage()
writeFileSync(join(folder, 'mark.svg'), mark)
writeFileSync(join(root, 'server', 'platform', 'colors.ts'), asModule(css))
writeFileSync(join(root, 'sandbox', 'pages', 'assets', 'colors.css'), asStyles(css))
const save = (name: string, picture: Buffer) => writeFileSync(join(folder, name), picture)
save('favicon.ico', asIco(await draw(mark, 32)))
save('apple-touch-icon.png', await draw(square, 180))
save('icon-any-192.png', await draw(mark, 192))
save('icon-any-512.png', await draw(mark, 512))
save('icon-maskable-512.png', await draw(safe, 512))
save('share.png', await drawShare())
await browser.close()

/** The mark, and what is made of it. */
function readOrEnd() {
  try {
    const mark = inColors(readFileSync(join(folder, 'mark.svg'), 'utf8'), colors)
    return { mark, ...readMark(mark) }
  } catch (error) {
    if (!(error instanceof UnfitMark)) throw error
    console.error(`client/public/mark.svg: ${error.message}`)
    process.exit(1)
  }
}

async function draw(svg: string, size: number) {
  return shoot(svg.replace('<svg ', `<svg width="${size}" height="${size}" `), size, size)
}

/** Draws the mark and the name, without words that need a translation. */
async function drawShare() {
  // The name is about as wide as the picture without its margins, or smaller.
  const size = Math.min(132, 1700 / product.name.length)
  const source = `data:font/woff2;base64,${readFileSync(font).toString('base64')}`
  return shoot(
    `<style>
      @font-face { font-family: Brand; font-weight: 100 900; src: url(${source}) }
      body { display: flex; align-items: center; background: ${colors['accent']![0]}; color: ${colors['on-accent']![0]}; overflow: hidden }
      h1 { margin: 0 0 0 96px; font: 650 ${size}px/1.2 Brand; letter-spacing: -0.03em }
      svg { position: absolute; width: 1000px; right: -150px; top: -96px; opacity: 0.22 }
    </style>${drawing}<h1>${product.name}</h1>`,
    1200,
    630,
  )
}

async function shoot(html: string, width: number, height: number) {
  await page.setViewportSize({ width, height })
  await page.setContent(
    `<!doctype html><style>body { margin: 0; height: 100vh } svg { display: block }</style>${html}`,
  )
  await page.evaluate(() => document.fonts.ready)
  return page.screenshot({ omitBackground: true })
}

/** An ICO file that holds one PNG. */
function asIco(png: Buffer) {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(32, 6)
  head.writeUInt8(32, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
