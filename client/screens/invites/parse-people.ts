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
 * in either order. Line breaks, commas, semicolons and tabs separate them, and so do the Chinese
 * and Japanese forms of these marks.
 */
export function parsePeople(text: string): Parsed {
  const people = new Map<string, Named>()
  const wrong: string[] = []
  let found = 0
  const lines = text
    .replaceAll(/[、，]/g, ',')
    .replaceAll('；', ';')
    .split(/[\r\n]+/)
  for (const line of lines.flatMap(entriesOf)) {
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

/** Semicolons separate people if all parts have an address: `Ng, Bob <b@…>; Li, Ann <a@…>`. */
function entriesOf(line: string) {
  const parts = line.split(';').filter((part) => part.trim() !== '')
  return parts.length > 1 && parts.every((part) => part.includes('@')) ? parts : [line]
}

function readEntry(line: string) {
  const cells = cellsOf(line).map(readCell)
  const named = cells.flatMap(({ people }) => people)
  const rest: string[] = []
  if (named.length === 0) return { named, rest: /[^\s,;"]/.test(line) ? [line.trim()] : [] }
  const [only, second] = named
  // Words name the address before them, or the only address of the entry wherever it is.
  let whose = second ? undefined : only
  const names = new Map<Named, string[]>()
  for (const { people, words } of cells) {
    whose = people.at(-1) ?? whose
    if (whose && (people.length > 0 || !words.includes('@')))
      names.set(whose, [
        ...(names.get(whose) ?? []),
        people.length > 0 ? (whose.name ?? '') : words,
      ])
    else if (people.length === 0 && words) rest.push(words)
  }
  for (const [person, parts] of names) {
    const name = nameOf(parts.join(' '))
    if (name) person.name = name
  }
  return { named, rest }
}

/** The parts between commas, semicolons and tabs, except inside quotes. */
function cellsOf(line: string) {
  return line.match(/(?:"[^"]*"|[^,;\t"]|")+/g) ?? []
}

function readCell(cell: string): { people: Named[]; words: string } {
  const words = bare(cell)
  const bracketed = /^(.*?)<\s*([^<>]+?)\s*>$/.exec(words)
  const tokens = bracketed ? [bracketed[2]!] : words.split(/\s+/)
  const emails = tokens.map(emailIn).filter((email) => email !== undefined)
  if (emails.length === 0) return { people: [], words }
  const name = nameOf(
    bracketed ? bracketed[1]! : tokens.filter((token) => !emailIn(token)).join(' '),
  )
  // A cell may have several addresses with only spaces between them. Its words then name none.
  return {
    people: emails.map((email) => (name && emails.length === 1 ? { email, name } : { email })),
    words,
  }
}

function emailIn(token: string) {
  const email = bare(token)
    .replace(/^mailto:/i, '')
    .replace(/^[<(]+|[>).]+$/g, '')
    .toLowerCase()
  return email.length <= 254 && /^[^\s@<>()",;:]+@[^\s@<>()",;:]+\.[^\s@<>()",;:.]{2,}$/.test(email)
    ? email
    : undefined
}

function bare(text: string) {
  return text
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .trim()
}

function nameOf(text: string) {
  return tidyName(bare(text.replaceAll('"', ' ')).slice(0, 100))
}
