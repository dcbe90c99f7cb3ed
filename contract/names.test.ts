import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { billingDetails, personName } from './fields.ts'
import { isNameAllowed, tidyName } from './names.ts'

test.each([
  ['Latin', 'Zoë O’Neil-Müller 3'],
  ['Persian with a non-joiner', 'می\u200Cخواهم'],
  ['Sinhala with a joiner', 'ශ්\u200Dරී'],
  ['Malayalam that ends with a joiner', 'രാജന്\u200D'],
  ['Mongolian with a vowel separator', 'ᠬᠡᠯ\u180Eᠡ'],
  ['Japanese with a variant', '葛\u{E0100}城'],
  ['a family', '👨\u200D👩\u200D👧'],
  ['somebody at work', '👩🏽\u200D💻 Ann'],
  ['a flag of two', '🏳\uFE0F\u200D🌈'],
  ['a flag of tags', '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
  ['what looks only a little like an address', 'Ann at the www: a/b'],
  ['a company', 'Müller & Co.'],
  ['a company in its short form', 'Müller GmbH & Co.KG'],
  ['a saint', 'St. John'],
  ['a saint without a space', 'St.Gallen'],
  ['initials', 'J.R.R. Tolkien'],
  ['titles', 'Dr.med. Ann Archer, B.Sc.'],
  ['a framework', 'Node.js/Vue.js'],
  ['a company whose kind is a domain', 'Acme Inc.Ltd'],
  ['full width', 'Ａｎｎ'],
  ['a word with the product’s name in it', 'Pergolas'],
  ['nothing at all', ''],
])('a name in %s is allowed', (_, name) => {
  expect(isNameAllowed(name)).toBe(true)
  expect(tidyName(name)).toBe(name)
})

test.each([
  ['an address', 'Verify at http://evil.example', 'Verify at http evil.example'],
  ['an address in capitals', 'WWW.evil.example', 'evil.example'],
  ['a bare domain', 'Verify at evil.com/login', 'Verify at evil com/login'],
  ['a bare domain at the end', 'Account locked - Evil.DE', 'Account locked - Evil DE'],
  ['a bare domain in a sentence', 'Go to evil.co.uk. Now', 'Go to evil co uk. Now'],
  ['an unusual domain with a path', 'evil.guru/login', 'evil guru/login'],
  ['an e-mail address', 'help@evil.io', 'help@evil io'],
  ['a domain in full width', 'ｅｖｉｌ．ｃｏｍ', 'evil com'],
  ['a domain with an ideographic dot', 'evil。com', 'evil com'],
  ['a domain in Chinese', '例子.中国', '例子 中国'],
  ['an encoded domain', 'evil.xn--p1ai', 'evil xn--p1ai'],
  ['www in full width', 'ｗｗｗ.evil.example', 'evil.example'],
  ['an address with a full-width colon', 'https：//evil.example', 'https evil.example'],
  ['an address to mail to', 'mailto:ann', 'ann'],
  ['an address with a joiner in it', 'ww\u200D\u200Dw.evil.example', 'evil.example'],
  ['a character that turns the text round', 'Ann\u202Ecod', 'Anncod'],
  ['an isolate', '\u2066Ann\u2069', 'Ann'],
  ['a mark of direction', 'A\u200En\u200Fn\u061C', 'Ann'],
  ['a space without width', 'A\u200Bn\u2060n\uFEFF', 'Ann'],
  ['a soft hyphen', 'An\u00ADn', 'Ann'],
  ['a filler', 'A\u3164n\u115F\u1160n\uFFA0', 'Ann'],
  ['a line separator', 'Ann\u2028Archer\u2029', 'AnnArcher'],
  ['a joiner at the end', 'Ann\u200D', 'Ann'],
  ['a joiner beside a space', 'Ann \u200CArcher', 'Ann Archer'],
  ['two joiners in a row', 'An\u200D\u200Dn', 'Ann'],
  ['joiners alone', '\u200D\u200C', ''],
  ['blank characters alone', '\u200B\u3164', ''],
  ['an empty braille pattern', '\u2800', ''],
  ['marks on nothing', '\u0301\uFE0F', ''],
])('a name with %s is not allowed, and can be tidied', (_, name, tidied) => {
  expect(isNameAllowed(name)).toBe(false)
  expect(tidyName(name)).toBe(tidied)
})

test.each(['Pergola', 'pergola support', 'The Pergola-Team', 'Ｐｅｒｇｏｌａ'])(
  'the person’s name “%s” has the product’s name in it and is not allowed',
  (name) => {
    expect(personName.safeParse(name).error!.issues.map(({ message }) => message)).toEqual([
      'nameOfProduct',
    ])
    expect(tidyName(name)).not.toMatch(/pergola/i)
  },
)

test('a payer’s name may be a bare domain, as some companies are called', () => {
  expect(billingDetails.name.safeParse('Bridges.com, Inc.').success).toBe(true)
  expect(billingDetails.name.safeParse('www.bridges.com').success).toBe(false)
})

/** Texts that are mostly made of what names may not hold. */
const odd = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '://',
        'www.',
        'evil.com',
        '．',
        '。',
        'com/',
        'Pergola',
        'ww',
        ...Array.from('w. \n\u200D\u200C\u200B\u3164\u202E\u2028\u0D4D👩🏽'),
      ),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join('').toWellFormed())

test('a tidied name is empty, too long or allowed, and tidying it again changes nothing', () => {
  fc.assert(
    fc.property(odd, (text) => {
      const tidied = tidyName(text)
      expect(tidyName(tidied)).toBe(tidied)
      expect(tidied === '' || tidied.length > 100 || personName.safeParse(tidied).success).toBe(
        true,
      )
    }),
    { numRuns: 3000 },
  )
})
