import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test('every log line that docs/operations.md quotes or docs/alerts.md searches for is in the server’s code', async () => {
  const page = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const docs = page.replaceAll(/^```[^]*?^```/gm, '')
  const quoted = Array.from(docs.matchAll(/`([^`]+)`/g), ([, text]) => text!).filter((text) =>
    /^(?!npm |delete )[A-Za-z-]+( [\w,-]+){3,}$/.test(text),
  )
  let code = ''
  for await (const file of glob('server/**/*.ts', { cwd: root }))
    if (!file.endsWith('.test.ts')) code += await readFile(join(root, file), 'utf8')
  const alerts = await readFile(join(root, 'docs/alerts.md'), 'utf8')
  for (const [, line] of alerts.matchAll(/\.msg == "([^"]+)"/g)) quoted.push(line!)
  expect(quoted.filter((line) => !code.includes(line))).toEqual([])
  expect(quoted.length).toBeGreaterThan(20)
})

test('every file that a document links to exists', async () => {
  const missing: string[] = []
  for await (const file of glob(['*.md', '{docs,sandbox,server}/**/*.md'], { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, link] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      await readFile(join(root, file, '..', link!)).catch((error: { code: string }) => {
        if (error.code !== 'EISDIR') missing.push(`${file}: ${link}`)
      })
  }
  expect(missing).toEqual([])
})

test('code links to every decision record, and to no record that is missing', async () => {
  const linked = new Set<string>()
  const folders = '{client,config,contract,locales,operate,sandbox,server}/**/*.{ts,tsx}'
  for await (const file of glob([folders, '*.ts'], { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, record] of text.matchAll(/docs\/decisions\/([\w.-]+\.md)/g)) linked.add(record!)
  }
  const records = await readdir(join(root, 'docs/decisions'))
  expect([...linked].toSorted()).toEqual(records.toSorted())
})

test('the spine of docs/reading.md can be read in an afternoon: at most 6500 lines', async () => {
  const page = await readFile(join(root, 'docs/reading.md'), 'utf8')
  const spine = page.slice(0, page.indexOf('## What may stay unread'))
  const files = [...new Set(Array.from(spine.matchAll(/`([\w/.-]+\.tsx?)`/g), ([, file]) => file!))]
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
  expect(files.length).toBeGreaterThan(35)
  expect(lines).toBeLessThanOrEqual(6500)
})
