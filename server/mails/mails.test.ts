import { product } from '#config/product.ts'
import { expect, test } from 'vitest'
import { mailExamples } from '../../tests/mail-examples.ts'
import { renderMail, type MailOrder } from './mails.ts'

test.each([
  ['en', 'ltr'],
  ['he', 'rtl'],
] as const)(
  'every mail in the language %s is complete as plain text and as HTML, and its HTML loads nothing from the network',
  async (language, dir) => {
    for (const order of mailExamples(language)) {
      const { subject, text, html } = await render(order)
      expect(html).toContain(`<html lang="${language}" dir="${dir}">`)
      expect(html).not.toMatch(/<img|<script|<link|\bsrc=|url\(|@import/)
      const [link] = text.match(/https:\/\/example\.net\/\S+/)!
      expect(
        [...html.matchAll(/https?:[^"<\s]+/g)].map(([url]) => url.replaceAll('&amp;', '&')),
      ).toEqual([link, link, link])
      expect(html).not.toContain('Engine <b>')
      // Subject, greeting, text, link, footer and product name.
      const parts = [subject, ...text.split('\n\n')]
      expect(parts).toHaveLength(6)
      expect(parts[5]).toBe(product.name)
      for (const part of parts) expect(part).not.toMatch(/\{\{|\}\}|\bmails\.|undefined|^$/)
    }
  },
)

test('a mail has the English text where the translation to its language is missing', async () => {
  const [hebrew, english] = await Promise.all([
    render(mailExamples('he')[0]!),
    render(mailExamples('en')[0]!),
  ])
  expect(hebrew.subject).toBe('אימות כתובת הדוא״ל שלך')
  expect(hebrew.text.replaceAll('lang=he', 'lang=en')).toBe(english.text)
})

test('a mail to a person whose language is unknown is in English', async () => {
  expect(await render(mailExamples(null)[0]!)).toEqual(await render(mailExamples('en')[0]!))
})

function render(order: MailOrder) {
  return renderMail(order, 'https://example.net')
}
