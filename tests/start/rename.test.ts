import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readColors } from '../../tools/screens/colors.ts'
import { aCopy, aMark, runIn } from './a-copy.ts'
import { root } from './a-server.ts'

/** A name that stands nowhere, nor here in one piece. */
const second = ['Quay', 'side'].join('')
const third = "Dock & Sail's"

test('a renamed product has the former name only where docs/make-it-yours.md says so', async () => {
  const copy = await aCopy()
  await writeFile(join(copy, 'own.svg'), aMark)
  const share = await readFile(join(copy, 'client/public/share.png'))
  const { status, output } = run(copy, [second, '--mark', 'own.svg', '--color', '#5b21b6'])
  expect({ status, output }).toMatchObject({ status: 0 })

  const { first, rows } = await readPage(copy)
  const found = await linesWith(first, copy)
  const isListed = ({ file, line }: Found) =>
    rows.some((row) => row.file === file && row.texts.some((text) => line.includes(text)))
  expect(found.filter((line) => !isListed(line))).toEqual([])

  const css = await readFile(join(copy, 'client/theme.css'), 'utf8')
  expect(readColors(css)['accent']![0]).toBe('#5b21b6')
  expect(await readFile(join(copy, 'client/public/mark.svg'), 'utf8')).toBe(
    aMark.replace('#000000', '#5b21b6'),
  )
  expect((await readFile(join(copy, 'client/public/share.png'))).equals(share)).toBe(false)

  expect(run(copy, [third])).toMatchObject({ status: 0 })
  expect(await linesWith(new RegExp(second, 'i'), copy)).toEqual([])
  expect(await linesWith(first, copy)).toEqual(found)
  expect(await readFile(join(copy, 'compose.yaml'), 'utf8')).toContain('\nname: dock-sail-s\n')
  const compiled = spawnSync(process.execPath, [tsc, '--noEmit', '-p', 'contract'], { cwd: copy })
  expect(String(compiled.stdout)).toBe('')
})

test('a rename that can not be done changes nothing, and says why in a sentence', async () => {
  const copy = await aCopy()
  await writeFile(join(copy, 'text.svg'), aMark.replace('<circle', '<text>A</text><circle'))
  const { first } = await readPage(copy)
  const before = await linesWith(first, copy)
  for (const [args, why] of [
    [['Quay/side'], /^“Quay\/side” can’t be the name: .*\.\n$/],
    [[second, '--color', 'red'], /^“red” is no color like .*\.\n$/],
    [[second, '--mark', 'none.svg'], /^There is no file none\.svg\.\n$/],
    [[second, '--mark', 'text.svg'], /^text\.svg: The mark has a <text>\. .*\.\n$/],
  ] as const)
    expect(run(copy, args)).toMatchObject({ status: 1, output: expect.stringMatching(why) })
  expect(await linesWith(first, copy)).toEqual(before)
})

const tsc = join(root, 'node_modules', '.bin', 'tsc')
type Found = { file: string; line: string }

function run(copy: string, args: readonly string[]) {
  return runIn(copy, join('tools', 'rename.ts'), args)
}

async function linesWith(name: RegExp, copy: string): Promise<Found[]> {
  const entries = await readdir(copy, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const found = await Promise.all(
    files.map(async ({ parentPath, name: base }) => {
      const text = await readFile(join(parentPath, base), 'latin1')
      const file = join(parentPath, base).slice(copy.length + 1)
      return name.test(text)
        ? text
            .split('\n')
            .filter((line) => name.test(line))
            .map((line) => ({ file, line }))
        : []
    }),
  )
  return found.flat().toSorted((one, other) => one.file.localeCompare(other.file))
}

/** The first name, and the table of where it stays. */
async function readPage(copy: string) {
  const page = await readFile(join(copy, 'docs/make-it-yours.md'), 'utf8')
  const [, first] = /`git grep -i (\w+)`/.exec(page)!
  const [table] = /\| File \| Text \|[^]*/.exec(page)!
  const rows = Array.from(table.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm), ([, file, texts]) => ({
    file: file!,
    texts: Array.from(texts!.matchAll(/`([^`]+)`/g), ([, text]) => text!),
  }))
  return { first: new RegExp(first!, 'i'), rows }
}
