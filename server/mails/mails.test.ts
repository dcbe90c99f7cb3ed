import { languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { expect, test } from 'vitest'
import { mailExamples, renderMail, type MailOrder } from './mails.ts'

test.each(Object.keys(languages) as LanguageCode[])(
  'every mail in %s is complete as plain text and as HTML, and loads nothing from elsewhere',
  async (language) => {
    for (const order of mailExamples(language)) {
      const { subject, text, html } = await render(order)
      const english = await render({ ...order, language: 'en' })
      expect(html).toContain(`<html lang="${language}">`)
      expect(html).not.toMatch(/<img|<script|<link|\bsrc=|url\(|@import/)
      const [link] = text.match(/https:\/\/example\.net\/\S+/)!
      expect(
        [...html.matchAll(/https?:[^"<\s]+/g)].map(([url]) => url.replaceAll('&amp;', '&')),
      ).toEqual([link, link, link])
      expect(html).not.toContain('Engine <b>')
      // Greeting, text, link, footer, product name. Only names are the same in two languages.
      const parts = [subject, ...text.split('\n\n')]
      expect(parts).toHaveLength(6)
      expect(parts[5]).toBe(product.name)
      for (const part of parts) expect(part).not.toMatch(/\{\{|\}\}|\bmails\.|undefined|^$/)
      if (language === 'en') continue
      const same = parts.filter((part) =>
        [english.subject, ...english.text.split('\n\n')].includes(part),
      )
      expect(same.filter((part) => part !== product.name && part !== link)).toEqual([])
    }
  },
)

test('a mail to a person without a known language is in the fallback language', async () => {
  expect(await render(mailExamples(null)[0]!)).toEqual(await render(mailExamples('en')[0]!))
})

function render(order: MailOrder) {
  return renderMail(order, 'https://example.net')
}
