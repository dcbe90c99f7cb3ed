import { expect, test } from 'vitest'
import { writePdf } from './document.ts'
import { widthOf } from './fonts.ts'
import { wrapped } from './wrap.ts'

test.each([
  ['ja', '山田太郎 様', 'UniJIS-UTF16-H', '5C71 7530 592A 90CE'],
  ['ko', '김철수', 'UniKS-UTF16-H', 'AE40 CCA0 C218'],
  ['zh', '张伟', 'UniGB-UTF16-H', '5F20 4F1F'],
  ['zh-TW', '陳怡君', 'UniCNS-UTF16-H', '9673 6021 541B'],
  ['en', '김철수', 'UniKS-UTF16-H', 'AE40 CCA0 C218'],
  ['ja', '张伟', 'UniGB-UTF16-H', '5F20 4F1F'],
  ['de', 'Жуков', 'UniJIS-UTF16-H', '0416 0443 043A 043E 0432'],
])(
  'for a reader of %s, %s is said in the collection that has it',
  (language, text, cmap, codes) => {
    const file = document(text, language)
    expect(file).toContain(`/Lang (${language})`)
    expect(file).toContain(`/Encoding /${cmap}`)
    expect(file).toContain(codes.replaceAll(' ', ''))
    expectWhole(file)
  },
)

test('one text may need two fonts, and no font is named that is not needed', () => {
  const file = document('Ann 山田', 'en')
  expect(file).toMatch(/\/regular 10 Tf \(Ann \) Tj \/Japan1 10 Tf <5C717530> Tj/)
  expect(file.match(/\/Type \/Font /g)).toHaveLength(3)
  expect(document('Ann', 'ja').match(/\/Type \/Font /g)).toHaveLength(1)
})

test.each([
  ['Zoë Œuvrard – “€”', '(Zo\u00EB \u008Cuvrard \u0096 \u0093\u0080\u0094)'],
  ['10,00\u00A0€ \u202F1', '(10,00 \u0080  1)'],
  [String.raw`(a\b)`, String.raw`(\(a\\b\))`],
  ['a\u0000\r\nb\u202Ec', '(a   bc)'],
])('%o is said as %o', (text, said) => {
  const file = document(text)
  expect(file).toContain(`${said} Tj`)
  expect(file).not.toContain('ActualText')
  expectWhole(file)
})

test.each([
  ['Łukasz Čapek', '(Lukasz Capek)', '0141'],
  ['مرحبا', '(?????)', '0645'],
  ['😀', '(?)', 'D83DDE00'],
])('%s is drawn as near as can be, and copied as it is', (text, drawn, code) => {
  const file = document(text)
  expect(file).toContain(drawn)
  expect(file).toMatch(new RegExp(`/ActualText <FEFF[0-9A-F]*${code}`))
  expectWhole(file)
})

test('a text that ends somewhere begins by its width before it', () => {
  expect([widthOf('$10.00'), widthOf('日本'), widthOf('é')]).toEqual(
    [0.556 * 5 + 0.278, 2, 0.556].map((width) => expect.closeTo(width)),
  )
  expect(document('日本', 'ja', { x: 100, end: true })).toContain(' 80.0 50.0 Td')
})

test('long texts go on in the next line, between words where there are some, and end somewhere', () => {
  const at = (width: number, most = 9) => ({ width, size: 10, most, language: 'en' })
  expect(wrapped('one two three', at(40))).toEqual(['one two', 'three'])
  expect(wrapped('iiiiiiiiii', at(12))).toEqual(['iiiii', 'iiiii'])
  expect(wrapped('one two three four', at(40, 2))).toEqual(['one two', 'three fo…'])
  const [first = ''] = wrapped('とても長い住所なので', { ...at(60), language: 'ja' })
  expect(widthOf(first) * 10).toBeLessThanOrEqual(60)
  expect(wrapped('', at(40))).toEqual([])
})

function document(text: string, language = 'en', more = {}) {
  const texts = [{ x: 20, y: 50, size: 10, text, ...more }]
  return writePdf({ title: text, language, width: 200, height: 100, texts, rules: [] }).toString(
    'latin1',
  )
}

/** Every object stands where the table says, and every stream is as long as it says. */
function expectWhole(file: string) {
  const [, start] = /startxref\n(\d+)\n%%EOF\n$/.exec(file)!
  const table = file.slice(Number(start))
  expect(table).toMatch(/^xref\n0 /)
  const offsets = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at))
  expect(offsets.length).toBeGreaterThan(5)
  offsets.forEach((at, index) =>
    expect(file.slice(at)).toMatch(new RegExp(`^${index + 1} 0 obj\n`)),
  )
  const [, length, stream] = /\/Length (\d+) >>\nstream\n([^]*?)\nendstream/.exec(file)!
  expect(stream).toHaveLength(Number(length))
}
