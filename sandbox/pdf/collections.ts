/**
 * Chinese, Japanese and Korean as every PDF reader knows them without a font in the file: Adobe's character collections, reached by
 * UTF-16. `charset`: what a collection has at least. In the order in which they are tried for readers of other languages.
 */
export const collections = {
  Japan1: {
    charset: 'shift_jis',
    cmap: 'UniJIS-UTF16-H',
    baseFont: 'HeiseiKakuGo-W5',
    supplement: 2,
  },
  Korea1: { charset: 'euc-kr', cmap: 'UniKS-UTF16-H', baseFont: 'HYGoThic-Medium', supplement: 1 },
  CNS1: { charset: 'big5', cmap: 'UniCNS-UTF16-H', baseFont: 'MHei-Medium', supplement: 3 },
  GB1: { charset: 'gbk', cmap: 'UniGB-UTF16-H', baseFont: 'STSong-Light', supplement: 4 },
} as const

export type Collection = keyof typeof collections

const names = Object.keys(collections) as Collection[]
const ofLanguages: Record<string, Collection> = {
  ja: 'Japan1',
  ko: 'Korea1',
  zh: 'GB1',
  'zh-TW': 'CNS1',
}

/** The one that has all of these characters, or most of them: shapes differ, so that the reader's own comes first. */
export function collectionFor(characters: string[], language: string): Collection {
  const own = ofLanguages[language]
  const tried = own ? [own, ...names] : names
  const count = (name: Collection) =>
    characters.filter((each) => charactersOf(name).has(each)).length
  return tried.reduce((best, name) => (count(name) > count(best) ? name : best))
}

/** Whether any of them has it: beside their own scripts, all have Greek, Cyrillic and signs. */
export function isCollected(character: string): boolean {
  return names.some((name) => charactersOf(name).has(character))
}

const known = new Map<Collection, Set<string>>()

function charactersOf(name: Collection): Set<string> {
  const found =
    known.get(name) ?? new Set(new TextDecoder(collections[name].charset).decode(allPairs))
  known.set(name, found)
  return found
}

/** Every character of two bytes that such a charset can have, each on a line of its own, so that a wrong one spoils no other. */
const allPairs = Uint8Array.from(
  range(0x81, 0xfe).flatMap((lead) => range(0x40, 0xfe).flatMap((trail) => [lead, trail, 0x0a])),
)

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
