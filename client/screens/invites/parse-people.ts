import { addressIn } from '#contract/mail-address.ts'
import { tidyName } from '#contract/names.ts'

export type Named = { email: string; name?: string }

type Parsed = {
  /** Each email address once, in the order of the list. */
  people: Named[]
  repeated: number
  /** The entries without an email address, as the user wrote them. */
  wrong: string[]
}

/**
 * Reads a pasted list of people: email addresses alone, `Name <address>`, or an address and a name
 * in either order. Line breaks, commas, semicolons and tabs separate them, and so do these marks of
 * other scripts. Numbers, bullets, quotes and what else lists bring along are left out.
 */
export function parsePeople(text: string): Parsed {
  const people = new Map<string, Named>()
  const wrong: string[] = []
  let found = 0
  for (const line of plain(text)
    .split(/[\r\n]+/)
    .flatMap(entriesOf)) {
    const { named, rest } = readEntry(line)
    for (const person of named) {
      found++
      const known = people.get(person.email)
      if (!known?.name) people.set(person.email, person)
    }
    wrong.push(...rest)
  }
  return { people: [...people.values()], repeated: found - people.size, wrong }
}

/** A person as `parsePeople` reads them. */
export function entryOf({ email, name }: Named) {
  if (!name) return email
  const plain = name.replaceAll('"', '')
  return `${/^[\p{L}\p{M} ]+$/u.test(plain) ? plain : `"${plain}"`} <${email}>`
}

/** The text with plain marks, and without what a link to an address may say besides. */
function plain(text: string) {
  return (
    text
      .replaceAll('＠', '@')
      .replaceAll(/[、，،﹐﹑]/g, ',')
      .replaceAll(/[；﹔؛]/g, ';')
      .replaceAll(/[“”„‟«»＂]/g, '"')
      .replaceAll(/mailto:/gi, '')
      .replaceAll(/(@[^\s@?<>",;]+)\?[^\s<>",;]*/g, '$1')
      .replaceAll(/^\s*\|.*\|\s*$/gm, (row) => row.replaceAll('|', '\t'))
      // A full stop ends an address before another one. In a domain it is a dot.
      .replaceAll(/[。｡](?=[^\s@。｡,;]*@)/g, ',')
  )
}

/** Semicolons separate people if all parts have an address: `Ng, Bob <b@…>; Li, Ann <a@…>`. */
function entriesOf(line: string) {
  const parts = line.split(';').filter((part) => part.trim() !== '')
  return parts.length > 1 && parts.every((part) => part.includes('@')) ? parts : [line]
}

function readEntry(line: string) {
  const cells = cellsOf(line).map(readCell)
  const named = cells.flatMap(({ people }) => people)
  if (named.length === 0) return { named, rest: /[^\s,;"]/.test(line) ? [line.trim()] : [] }
  const rest = cells.flatMap(({ wrong }) => wrong)
  const [only, second] = named
  // Words name the address before them, or the only address of the entry wherever it is.
  let whose = second ? undefined : only
  const names = new Map<Named, string[]>()
  for (const { people, words, wrong } of cells) {
    whose = people.at(-1) ?? whose
    if (whose && people.length < 2 && wrong.length === 0)
      names.set(whose, [...(names.get(whose) ?? []), words])
    else if (people.length === 0 && wrong.length === 0 && words) rest.push(words)
  }
  for (const [person, parts] of names) {
    const name = nameOf(parts.filter(Boolean).join(' '))
    if (name) person.name = name
  }
  return { named, rest }
}

/** The parts between commas, semicolons and tabs, except inside quotes. */
function cellsOf(line: string) {
  return line.match(/(?:"[^"]*"|[^,;\t"]|")+/g) ?? []
}

type Cell = { people: Named[]; wrong: string[]; words: string }

/** The addresses of a cell, what should be some but are none, and the words between them. */
function readCell(cell: string): Cell {
  const people: Named[] = []
  const wrong: string[] = []
  const rest = cell.replaceAll(/[^\s<>()[\]":：「」『』《》〈〉（）＜＞【】]+/g, (token) => {
    if (!/.@/.test(token)) return token
    const email = addressIn(withoutMarks(token))
    if (email) people.push({ email })
    else wrong.push(token)
    return ''
  })
  return { people, wrong, words: wordsOf(rest) }
}

/** Removes the marks around an address: those that it can't begin or end with, and pairs. */
function withoutMarks(token: string) {
  const [, start = '', end = ''] =
    /^([^\p{ASCII}\p{L}\p{N}\p{M}]*).*?([^\p{L}\p{N}\p{M}]*)$/su.exec(token) ?? []
  const inner = token.slice(start.length, token.length - end.length)
  const pair = /^['*_`~|{]+/.exec(inner)?.[0] ?? ''
  const isPair = pair !== '' && end.includes(pair.startsWith('{') ? '}' : pair[0]!)
  return (isPair ? inner.slice(pair.length) : inner).replaceAll(/[‘’]/g, "'")
}

/** The number of an entry: `1.`, `(2)`, `c)`, `④`, or a number alone. */
const ordinal = /^[([（]?(?:\p{N}+(?:$|[.)\]:．）]+)|[a-z]\)|\p{No})(?=\s|$)/iu

/** Bullets, and the marks between a name and an address. */
const marks = /^[\s\p{Pd}\p{So}:：|*_'`~‘’‚‹›•‣⁃·・]+|[\s\p{Pd}:：|*_'`~‘’‚‹›]+$/gu

/** Leaves out the number or bullet before the words, what labels an address, and empty brackets. */
function wordsOf(text: string) {
  const rest = text.replaceAll(/[<>"＜＞]|[([（【]\s*[)\]）】]/g, ' ').trim()
  if (/^(?:to|cc|bcc|from|e-?mail)\s*[:：]$/i.test(rest)) return ''
  return rest
    .replace(ordinal, '')
    .replaceAll(marks, '')
    .replace(/^\[(.*)\]$/, '$1')
}

function nameOf(words: string) {
  return /\p{L}/u.test(words) ? tidyName(words.slice(0, 100)) : ''
}
