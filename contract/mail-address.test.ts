import { expect, test } from 'vitest'
import { email } from './fields.ts'

const long = 'x'.repeat(63)

test.each([
  ['Ann@Example.com', 'ann@example.com'],
  ['r&d@example.com', 'r&d@example.com'],
  ['sales/eu@example.com', 'sales/eu@example.com'],
  ['a=b@example.com', 'a=b@example.com'],
  ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
  ['ann_partner.example#EXT#@tenant.example', 'ann_partner.example#ext#@tenant.example'],
  ['.a..b.@example.com', '.a..b.@example.com'],
  ['root@localhost', 'root@localhost'],
  [`${long}x@example.com`, `${long}x@example.com`],
  [`a@${long}.example`, `a@${long}.example`],
  ['ann@xn--e1afmkfd.xn--p1ai', 'ann@xn--e1afmkfd.xn--p1ai'],
  ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'],
  ['ann@MÜLLER.example', 'ann@xn--mller-kva.example'],
  ['ann@mu\u0308ller.example', 'ann@xn--mller-kva.example'],
  ['ann@straße.example', 'ann@xn--strae-oqa.example'],
  ['ann@例え。テスト', 'ann@xn--r8jz45g.xn--zckzah'],
  ['ann@نامه\u200Cای.com', 'ann@xn--mgba3gch31f060k.com'],
  ['ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ann@example.com'],
  ['\uFEFF\u202A ann@example.com\u200B\u202C\u00A0', 'ann@example.com'],
  ['ann@exam\u00ADple.com\u200D', 'ann@example.com'],
])('%j is the address %s', (typed, address) => {
  expect(email.safeParse(typed).data).toBe(address)
})

test.each([
  '',
  'ann',
  'ann@',
  '@example.com',
  'ann@@example.com',
  'a b@example.com',
  '"a b"@example.com',
  'ann@example..com',
  'ann@-example.com',
  'ann@example.com.',
  'ann@[127.0.0.1]',
  'ann@exa_mple.com',
  'ann@пример.рф/x',
  'ann@пример.рф:25',
  'ann@ex%61mple.рф',
  'änn@example.com',
  'ann\0@example.com',
  'Ann <ann@example.com>',
  'ann@example.com, bob@example.com',
  `${long}xx@example.com`,
  `a@${long}x.example`,
  `a@${long}.${long}.${long}.${long}.example`,
])('%j is no address', (typed) => {
  expect(email.safeParse(typed).error?.issues[0]?.message).toBe('auth/invalid-email')
})
