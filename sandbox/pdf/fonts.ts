import { collectionFor, collections, isCollected, type Collection } from './collections.ts'

type FontName = 'regular' | 'bold' | Collection
/** Characters of one font: `operand` is how a PDF says them. */
export type Run = { font: FontName; operand: string }
export type Fonts = ReturnType<typeof openFonts>

/** The fonts of one document, none of them in the file: Helvetica, and the collections. */
export function openFonts(language: string) {
  const used = new Set<FontName>()

  return {
    runs(text: string, { bold = false } = {}): Run[] {
      const characters = Array.from(drawable(text))
      const collected = characters.filter((each) => !latin.has(each))
      const collection = collected.length ? collectionFor(collected, language) : undefined
      const fontOf = (character: string) =>
        collection && !latin.has(character) ? collection : bold ? 'bold' : 'regular'
      return grouped(characters, fontOf).map(([font, group]) => {
        used.add(font)
        return {
          font,
          operand:
            font in collections
              ? utf16(group.join(''))
              : literal(group.map((each) => latin.get(each)).join('')),
        }
      })
    },

    /** Writes what was used by `add`, which gives an object's number, and gives the page's resources. */
    resources(add: (body: string) => number): string {
      return `<< /Font << ${[...used].map((font) => `/${font} ${fontObject(font, add)} 0 R`).join(' ')} >> >>`
    },
  }
}

/** In the size 1. */
export function widthOf(text: string): number {
  return (
    Array.from(drawable(text)).reduce((sum, character) => sum + widthOfOne(character), 0) / 1000
  )
}

/** Without what has no shape: of spaces there is one kind, of ends of lines and other controls none. */
export function clean(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Zs}\p{Cc}]/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Cs}]/gu, '')
}

/** With the nearest there is for what no font of these has: letters without their marks (`Č` as `C`), else `?`. */
export function drawable(text: string): string {
  return Array.from(clean(text), (character) =>
    latin.has(character) ? character : nearest(character),
  ).join('')
}

function nearest(character: string): string {
  const [base = ''] = character.normalize('NFD')
  if (latin.has(base)) return base
  return plain[character] ?? [character, base].find(isCollected) ?? '?'
}

/** Letters that are not made of another one and a mark. */
const plain: Record<string, string> = {
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ł: 'L',
  ł: 'l',
  Ŋ: 'N',
  ŋ: 'n',
  Ŧ: 'T',
  ŧ: 't',
  Ə: 'E',
  ə: 'e',
}

function widthOfOne(character: string): number {
  if (!latin.has(character)) return 1000
  const [base = ''] = character.normalize('NFD')
  return helvetica[base.charCodeAt(0) - 32] ?? 556
}

function grouped<Key>(characters: string[], keyOf: (character: string) => Key): [Key, string[]][] {
  const groups: [Key, string[]][] = []
  for (const character of characters) {
    const last = groups.at(-1)
    if (last?.[0] === keyOf(character)) last[1].push(character)
    else groups.push([keyOf(character), [character]])
  }
  return groups
}

function fontObject(font: FontName, add: (body: string) => number): number {
  if (font === 'regular' || font === 'bold') {
    const name = font === 'bold' ? 'Helvetica-Bold' : 'Helvetica'
    return add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)
  }
  const { baseFont, cmap, supplement } = collections[font]
  // The numbers are for choosing a font that looks alike.
  const looks = `/Flags 32 /FontBBox [-100 -250 1100 920] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 718 /StemV 88`
  const descriptor = add(`<< /Type /FontDescriptor /FontName /${baseFont} ${looks} >>`)
  const system = `<< /Registry (Adobe) /Ordering (${font}) /Supplement ${supplement} >>`
  const described = `/BaseFont /${baseFont} /CIDSystemInfo ${system} /DW 1000 /FontDescriptor ${descriptor} 0 R`
  const descendant = add(`<< /Type /Font /Subtype /CIDFontType0 ${described} >>`)
  return add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${baseFont}-${cmap} /Encoding /${cmap} /DescendantFonts [${descendant} 0 R] >>`,
  )
}

export function utf16(text: string): string {
  return `<${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`
}

function literal(bytes: string): string {
  return `(${bytes.replaceAll(/[\\()]/g, String.raw`\$&`)})`
}

/** The bytes that WinAnsiEncoding has for characters. */
const latin = new Map(
  Array.from({ length: 256 }, (_, byte): [string, string] => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    String.fromCharCode(byte),
  ]).filter(([character]) => !/\p{Cc}/u.test(character)),
)

/** Of Helvetica, from the space to `~`, in thousandths of its size; bold is hardly wider, and its digits are not. */
const helvetica = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]
