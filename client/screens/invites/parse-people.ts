import { tidyName } from '#contract/names.ts'

export type Named = { email: string; name?: string }

type Parsed = {
  /** Each address once, in the order they came. */
  people: Named[]
  /** How often an address came again. */
  repeated: number
  /** What holds no address, as it was written. */
  wrong: string[]
}

/**
 * Who is meant by a pasted list: addresses alone, `Name <address>`, an address and a name in either order; separated by line breaks,
 * commas, semicolons or tabs, as mail programs and tables have them; Chinese and Japanese ones are as good.
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

/** Semicolons end an entry where every part has an address of its own: `Baker, Bob <bob@…>; Archer, Ann <ann@…>`. */
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
  // With one address in the entry, whatever else there is names it; with several, it names the one before it.
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

/** What stands between commas, semicolons and tabs that are not inside quotes. */
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
  // Several addresses with nothing but spaces between them.
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

/** As a name may be. */
function nameOf(text: string) {
  return tidyName(bare(text.replaceAll('"', ' ')).slice(0, 100))
}
