// npm run rename: gives the product another name, and a mark and a color. docs/make-it-yours.md has
// what stays as it is.
import { product } from '../config/product.ts'
import { slug, slugOf } from '../contract/slug.ts'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { begin } from '../scripts/commands.mjs'
import { fail } from '../scripts/install.mjs'
import { readColors } from './screens/colors.ts'
import { inColors, readMark, UnfitMark } from './screens/mark.ts'
import { recolor } from './screens/recolor.ts'

const root = join(import.meta.dirname, '..')
const { words, values } = begin('rename', process.argv.slice(2))
const name = words[0]!
const written = new Map<string, string>()
const notes: string[] = []

if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.'’&-]| (?=\S)){0,39}$/u.test(name))
  fail(
    `“${name}” can’t be the name: it begins with a letter or digit and has at most 40 letters, digits, spaces, dots, hyphens, apostrophes and &.`,
  )
if (values['color'] !== undefined) takeColor(values['color'])
if (values['mark'] !== undefined) takeMark(values['mark'])
takeName()

for (const [file, text] of written) writeFileSync(join(root, file), text)
const icons = join(root, 'tools', 'screens', 'icons.ts')
if (spawnSync(process.execPath, [icons], { stdio: 'inherit' }).status !== 0)
  fail('The files have the name, but the icons could not be drawn: see npm run icons.')
console.log(
  [
    `${name} stands in ${[...written.keys()].join(', ')}, and in the icons.`,
    ...notes,
    'npm run looks draws the pictures that tests compare with, and npm run pictures those of the README.',
    'docs/make-it-yours.md lists what keeps its name, and why.',
  ].join('\n'),
)

function takeName() {
  const places: [file: string, from: string, to: string][] = [
    ['config/product.ts', `name: ${quoted(product.name)},`, `name: ${quoted(name)},`],
    ['config/plans.ts', `'price_${slug}_`, `'price_${slugOf(name)}_`],
    ['package.json', `"name": "${slug}"`, `"name": "${slugOf(name)}"`],
    ['README.md', `# ${product.name}\n`, `# ${name}\n`],
    ['compose.yaml', `\nname: ${slug}\n`, `\nname: ${slugOf(name)}\n`],
  ]
  const missing = places.filter(([file, from]) => !read(file).includes(from))
  for (const [file, from, to] of places)
    if (!missing.some(([other]) => other === file))
      written.set(file, read(file).replaceAll(from, to))
  if (!written.has('config/product.ts')) fail(`config/product.ts has no ${places[0]![1]}`)
  for (const [file, from] of missing) notes.push(`${file} has no ${from.trim()}: look there.`)
  if (written.has('config/plans.ts'))
    notes.push(
      'config/plans.ts: prices have other lookup keys. If npm run stripe:setup has made prices already, put the former keys back, because projects pay them.',
    )
}

function takeColor(color: string) {
  if (!/^#([\da-f]{3}|[\da-f]{6})$/i.test(color))
    fail(`“${color}” is no color like #0a6 or #00aa66. Write it in quotes.`)
  const { css, isDarker } = recolor(read('client/theme.css'), color)
  written.set('client/theme.css', css)
  if (isDarker)
    notes.push(
      `White text can’t be read on ${color}: buttons are ${readColors(css)['accent']![0]} instead.`,
    )
}

function takeMark(path: string) {
  // npm runs this in the folder of package.json.
  const file = resolve(process.env['INIT_CWD'] ?? '.', path)
  if (!existsSync(file)) fail(`There is no file ${path}.`)
  const svg = readFileSync(file, 'utf8')
  try {
    readMark(inColors(svg, readColors(read('client/theme.css'))))
  } catch (error) {
    if (!(error instanceof UnfitMark)) throw error
    fail(`${path}: ${error.message}`)
  }
  written.set('client/public/mark.svg', svg)
}

function read(file: string) {
  return written.get(file) ?? readFileSync(join(root, file), 'utf8')
}

/** As oxfmt writes a string. */
function quoted(text: string) {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`
}
