import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type Language } from '#config/languages.ts'
import { english } from '#locales/english.ts'
import { findMistakes } from '#locales/find-mistakes.ts'
import type { Messages } from '#locales/translator.ts'

const folder = join(import.meta.dirname, '..', 'locales')
const isStrict = process.argv.includes('--strict')
const summary: string[] = []
let failed = false

for (const [code, { complete }] of Object.entries<Language>(languages)) {
  const file = readFileSync(join(folder, `${code}.json`), 'utf8')
  const { missing, wrong } = findMistakes(code, JSON.parse(file) as Messages, english)
  for (const key of missing) console.log(`${code.padEnd(6)} ${key} is missing`)
  for (const mistake of wrong) console.log(`${code.padEnd(6)} ${mistake}`)
  const found = [
    ...(missing.length > 0 ? [`${missing.length} missing`] : []),
    ...(wrong.length > 0 ? [`${wrong.length} wrong`] : []),
  ]
  if (found.length > 0) summary.push(`${code} ${found.join(', ')}`)
  if (complete && found.length > 0) failed = true
}
for (const file of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  if (file.slice(0, -'.json'.length) in languages) continue
  summary.push(`${file} is of no language in config/languages.ts`)
  failed = true
}

const count = Object.keys(languages).length
console.log(`words: ${summary.join('; ') || `all texts in ${count} languages`}`)
if (isStrict && failed) process.exit(1)
