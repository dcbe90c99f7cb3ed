// npm run words: lists the texts that each language lacks, and wrong texts. With `-- --strict` it
// fails if a language that config/languages.ts calls complete has any of them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type Language } from '../config/languages.ts'
import { english } from '../locales/english.ts'
import { findMistakes } from '../locales/find-mistakes.ts'
import type { Messages } from '../locales/translator.ts'

const folder = join(import.meta.dirname, '..', 'locales')
const isStrict = process.argv.includes('--strict')
const summary: string[] = []
let failed = false
/** Whether a language has no file. Even incomplete languages need one. */
let isBroken = false

for (const [code, { complete }] of Object.entries<Language>(languages)) {
  const file = join(folder, `${code}.json`)
  if (!existsSync(file)) {
    summary.push(`locales/${code}.json is missing`)
    isBroken = true
    continue
  }
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Messages
  const { missing, wrong } = findMistakes(code, messages, english)
  for (const key of missing) console.log(`${code.padEnd(6)} ${key} is missing`)
  for (const mistake of wrong) console.log(`${code.padEnd(6)} ${mistake}`)
  const found = [
    ...(missing.length > 0 ? [`${missing.length} missing`] : []),
    ...(wrong.length > 0 ? [`${wrong.length} wrong`] : []),
  ]
  if (found.length > 0) summary.push(`${code} ${found.join(', ')}`)
  if (complete && found.length > 0) failed = true
}
const count = Object.keys(languages).length
console.log(`words: ${summary.join('; ') || `all texts in ${count} languages`}`)
if (isBroken || (isStrict && failed)) process.exit(1)
