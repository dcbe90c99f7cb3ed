import type { Locator, Page } from '@playwright/test'
import { join } from 'node:path'

const script = join(import.meta.dirname, '../../node_modules/modern-gif/dist/index.js')

type Frame = { png: string; milliseconds: number; pointer: { x: number; y: number } | undefined }

/** Records what somebody does on a page, as an animated GIF of the page's size. */
export function filmOf(page: Page) {
  const frames: Frame[] = []
  let pointer: Frame['pointer']

  async function show(milliseconds: number) {
    const png = await page.screenshot({ animations: 'disabled' })
    frames.push({ png: png.toString('base64'), milliseconds, pointer })
  }

  async function pointAt(target: Locator) {
    await target.scrollIntoViewIfNeeded()
    const box = (await target.boundingBox())!
    pointer = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 }
    await show(500)
  }

  return {
    show,
    async click(target: Locator) {
      await pointAt(target)
      await target.click()
    },
    /** Types in steps, as a reader could follow it. */
    async type(target: Locator, text: string) {
      pointer = undefined
      await target.scrollIntoViewIfNeeded()
      const step = Math.ceil(text.length / 3)
      for (let end = step; end < text.length + step; end += step) {
        await target.fill(text.slice(0, end))
        await show(180)
      }
    },
    async paste(target: Locator, text: string) {
      await pointAt(target)
      await target.fill(text)
      await show(1200)
    },
    toGif: () => encode(page, frames),
  }
}

/** Draws the frames in a page of their own, because browsers can decode PNG. */
async function encode(page: Page, frames: Frame[]) {
  const { width, height } = page.viewportSize()!
  const studio = await page.context().browser()!.newPage()
  await studio.addScriptTag({ path: script })
  const gif = await studio.evaluate(
    async ({ width, height, frames }) => {
      const drawn = []
      for (const { png, milliseconds, pointer } of frames) {
        const image = new Image()
        image.src = `data:image/png;base64,${png}`
        await image.decode()
        const canvas = new OffscreenCanvas(width, height)
        const pen = canvas.getContext('2d')!
        pen.drawImage(image, 0, 0, width, height)
        if (pointer) {
          pen.translate(pointer.x, pointer.y)
          const arrow = new Path2D('M0 0v17l4-4 3 7 3-1.3-3-7h6z')
          pen.lineWidth = 2.5
          pen.strokeStyle = '#fff'
          pen.stroke(arrow)
          // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is no array
          pen.fill(arrow)
        }
        const { data } = pen.getImageData(0, 0, width, height)
        drawn.push({ data, delay: milliseconds })
      }
      const { modernGif } = window as unknown as { modernGif: typeof import('modern-gif') }
      const blob = await modernGif.encode({
        width,
        height,
        frames: drawn,
        maxColors: 255,
        looped: true,
        format: 'blob',
      })
      const reader = new FileReader()
      const isRead = new Promise((resolve) => reader.addEventListener('load', resolve))
      reader.readAsDataURL(blob)
      await isRead
      return reader.result as string
    },
    { width, height, frames },
  )
  await studio.close()
  return Buffer.from(gif.split(',')[1]!, 'base64')
}
