import { appendFileSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { product } from '../../config/product.ts'
import { openFiles, Unfit, type Files } from './files.ts'
import { isTaken, ofCore, type Kind } from './taken.ts'

/** A module of gadgets, which is copied with other names. It compiles only as such a copy. */
const pattern = join(import.meta.dirname, 'module')

/** Its folder and its line, and that it is on. `given`: what one of them is called. */
export function planModule(name: string, given: string | undefined) {
  const files = openFiles()
  const one = given ?? singularOf(name)
  checkNames(name, one, files)
  const as = renaming(name, one)
  for (const path of globSync('**/*.*', { cwd: pattern }).toSorted())
    files.put(`modules/${name}/${as(path)}`, as(readFileSync(join(pattern, path), 'utf8')))
  list(name, files)
  const isOn = switchOn(name, files)
  const said = [
    `One of the ${name} is called “${one}”. Another word for it: --one.`,
    isOn
      ? 'The module is on: npm start shows it in the menu of a project.'
      : `Switch the module on in config/product.ts: modules: ['${name}'].`,
    `npx vitest run --project server modules/${name} runs its tests. docs/modules.md says what is where.`,
  ]
  return { files, said: said.join('\n') }
}

/** Open tabs hear of every change of its table. */
export function makeLive(name: string, migration: string) {
  appendFileSync(migration, `--> statement-breakpoint\nSELECT make_live('${name}', '${name}');`)
}

export function singularOf(name: string) {
  const one = name
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh|zz)es$/, '$1')
    .replace(/(?<![isu])s$/, '')
  if (one === name)
    throw new Unfit(
      `“${name}” is no plural that this knows: --one says what one of them is called.`,
    )
  return one
}

function checkNames(name: string, one: string, files: Files) {
  for (const word of [name, one])
    if (!/^[a-z][a-z0-9]{1,29}$/.test(word))
      throw new Unfit(
        `“${word}” can’t be a name of a module: it is one word of 2 to 30 small letters and digits, because folder, tables, addresses and code share it.`,
      )
  if (one === name) throw new Unfit(`One of the ${name} needs another name: --one says it.`)
  if (isReserved(name)) throw new Unfit(`“${name}” is a word of JavaScript’s own.`)
  if (files.has(`modules/${name}`)) throw new Unfit(`There is a folder modules/${name} already.`)
  const why = ofCore(name)
  if (why) throw new Unfit(`“${name}” can’t be a module, because ${why} would belong to it.`)
  const as = renaming(name, one)
  const clash = Object.entries(madeNames).flatMap(([kind, names]) =>
    names.map(as).flatMap((made) => (isTaken(kind as Kind, made) ? `${kind} ${made}` : [])),
  )
  if (clash.length > 0)
    throw new Unfit(`“${name}” can’t be a module, because the ${clash[0]} is there already.`)
}

/** What the core or another module must not have. */
const madeNames: { [Table in Kind]: string[] } = {
  call: ['listGadgets', 'getGadget', 'createGadget', 'updateGadget', 'deleteGadget'],
  screen: ['gadgets', 'gadget'],
  refusal: ['gadgetNotFound', 'gadgetChanged'],
  limit: ['gadgets'],
  'kind of activity': ['gadgetCreated', 'gadgetChanged', 'gadgetDeleted'],
  'area of activity': ['gadgets'],
  'group of words': ['gadgets'],
}

function isReserved(word: string) {
  try {
    return !new Script(`'use strict'; let ${word}`)
  } catch {
    return true
  }
}

function renaming(name: string, one: string) {
  return (text: string) =>
    text
      .replaceAll('gadgets', name)
      .replaceAll('Gadgets', capital(name))
      .replaceAll('gadget', one)
      .replaceAll('Gadget', capital(one))
}

function capital(word: string) {
  return word[0]!.toUpperCase() + word.slice(1)
}

/** In modules/index.ts, in the order of the alphabet. */
function list(name: string, files: Files) {
  const lines = files.read('modules/index.ts').trimEnd().split('\n')
  const isRow = (line: string) => line.startsWith('export * as ')
  const rows = [...lines.filter(isRow), `export * as ${name} from './${name}/contract.ts'`]
  const others = lines.filter((line) => !isRow(line))
  files.put('modules/index.ts', [...others, ...rows.toSorted(), ''].join('\n'))
}

/** In config/product.ts, if its list is written as it was shipped. */
function switchOn(name: string, files: Files) {
  const on = product.modules as readonly string[] | 'all'
  if (on === 'all') return true
  const text = files.read('config/product.ts')
  const row = /^ {2}modules: \[[^\]]*\]/m
  const all = [...on, name].map((on) => `'${on}'`).join(', ')
  files.put('config/product.ts', text.replace(row, `  modules: [${all}]`))
  return row.test(text)
}
