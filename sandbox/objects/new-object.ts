import { randomBytes } from 'node:crypto'
import type { List } from './wire.ts'

/** What new objects of all types have. */
export function newObject<Type extends string>(object: Type, prefix: string, created: number) {
  return { id: newId(prefix), object, created, livemode: false }
}

/** A list that an object contains, with all its entries. */
export function wholeList<T>(url: string, data: T[]): List<T> {
  return { object: 'list', data, has_more: false, url }
}

export function newId(prefix: string): string {
  return `${prefix}_1${randomLetters(23)}`
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomLetters(length: number): string {
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')
}

type Word<Names extends string> = Names extends `${infer First} ${infer Rest}`
  ? First | Word<Rest>
  : Names

/** The fields with these names, all null. Spaces separate the names. */
export function nulls<Names extends string>(...names: Names[]): Record<Word<Names>, null> {
  const fields = names.join(' ').split(' ')
  return Object.fromEntries(fields.map((name) => [name, null])) as Record<Word<Names>, null>
}
