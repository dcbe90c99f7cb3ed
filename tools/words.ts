// npm run words: lists the texts that each language lacks, and wrong texts. With `-- --strict` it
// fails if a language that config/languages.ts calls complete has any of them. A module may have
// English alone: a language of which it has no file is not demanded of it.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type Language } from '../config/languages.ts'
import { findMistakes } from '../locales/find-mistakes.ts'
import type { Messages } from '../locales/translator.ts'

const root = join(import.meta.dirname, '..')
/** The product's words, and those of each module, also of one that is off. */
const folders = ['locales', ...globSync('modules/*/words', { cwd: root })]
const isStrict = process.argv.includes('--strict')
const summary: string[] = []
let failed = false
/** Whether a language has no file in locales/. Even incomplete languages need one. */
let isBroken = false

for (const [code, { complete }] of Object.entries<Language>(languages)) {
  if (read('locales', code) === undefined) {
    summary.push(`locales/${code}.json is missing`)
    isBroken = true
    continue
  }
  const mistakes = folders.flatMap((folder) => mistakesIn(folder, code))
  for (const { text } of mistakes) console.log(`${code.padEnd(6)} ${text}`)
  const missing = mistakes.filter(({ isMissing }) => isMissing).length
  const wrong = mistakes.length - missing
  const found = [
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(wrong > 0 ? [`${wrong} wrong`] : []),
  ]
  if (found.length > 0) summary.push(`${code} ${found.join(', ')}`)
  if (complete && mistakes.some(({ isDemanded }) => isDemanded)) failed = true
}
const count = Object.keys(languages).length
console.log(`words: ${summary.join('; ') || `all texts in ${count} languages`}`)
if (isBroken || (isStrict && failed)) process.exit(1)

function mistakesIn(folder: string, code: string) {
  const words = read(folder, code)
  const isDemanded = words !== undefined
  const { missing, wrong } = findMistakes(code, words ?? {}, read(folder, 'en')!)
  const place = folder === 'locales' ? '' : `${folder}: `
  return [
    ...missing.map((key) => ({ text: `${place}${key} is missing`, isMissing: true, isDemanded })),
    ...wrong.map((mistake) => ({ text: place + mistake, isMissing: false, isDemanded })),
  ]
}

function read(folder: string, code: string) {
  const file = join(root, folder, `${code}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Messages) : undefined
}
