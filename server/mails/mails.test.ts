import { languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { expect, test } from 'vitest'
import { renderMail, type MailOrder } from './mails.ts'

const project = { name: 'Ada', project: 'Engine <b>', subscriptionId: 'a1b2' }
const values: { [Order in MailOrder as Order['mail']]: Order['values'][] } = {
  verifyEmail: [{ name: 'Ada', code: 'code' }],
  resetPassword: [{ name: 'Ada', code: 'code' }],
  verifyAndChangeEmail: [{ name: 'Ada', code: 'code', newEmail: 'ada@example.org' }],
  recoverEmail: [{ name: 'Ada', code: 'code', newEmail: 'ada@example.org' }],
  securityNotice: [
    { name: 'Ada', code: 'code', change: { kind: 'passwordChanged' } },
    { name: 'Ada', code: 'code', change: { kind: 'providerLinked', provider: 'Google' } },
  ],
  invitation: [
    { name: 'Ada', code: 'code', host: 'Ben', project: 'Engine', expires: '2026-12-05T12:00:00Z' },
    { name: null, code: 'code', host: 'Ben', project: '', expires: '2026-12-05T12:00:00Z' },
  ],
  paymentFailed: [project],
  paymentWaits: [project],
  projectCanceled: [project],
  projectEndedUnpaid: [project],
  receipt: [{ ...project, number: 'INV-1', total: 1000, currency: 'usd', url: null }],
  ownershipGiven: [{ ...project, newOwner: 'Ben' }],
  ownershipReceived: [
    { ...project, formerOwner: 'Ben', card: null },
    { ...project, formerOwner: 'Ben', card: { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 } },
  ],
}
const orders = Object.entries(values).flatMap(([mail, told]) => told.map((values) => ({ mail, values })))

test.each(Object.keys(languages) as LanguageCode[])(
  'every mail is whole in %s, as plain text and as HTML, and loads nothing',
  async (language) => {
    for (const { mail, values } of orders) {
      const { subject, text, html } = await render(mail, language, values)
      const english = await render(mail, 'en', values)
      expect(html).toContain(`<html lang="${language}">`)
      expect(html).not.toMatch(/<img|<script|<link|\bsrc=|url\(|@import/)
      const [link] = text.match(/https:\/\/example\.net\/\S+/)!
      expect([...html.matchAll(/https?:[^"<\s]+/g)].map(([url]) => url.replaceAll('&amp;', '&'))).toEqual([link, link, link])
      expect(html).not.toContain('Engine <b>')
      // Greeting, text, link, footer, name of the product; only what names are is the same in two languages.
      const parts = [subject, ...text.split('\n\n')]
      expect(parts).toHaveLength(6)
      expect(parts[5]).toBe(product.name)
      for (const part of parts) expect(part).not.toMatch(/\{\{|\}\}|\bmails\.|undefined|^$/)
      if (language === 'en') continue
      const same = parts.filter((part) => [english.subject, ...english.text.split('\n\n')].includes(part))
      expect(same.filter((part) => part !== product.name && part !== link)).toEqual([])
    }
  },
)

test('a mail to somebody whose language is not known is in the fallback language', async () => {
  expect(await render('verifyEmail', null, values.verifyEmail[0]!)).toEqual(await render('verifyEmail', 'en', values.verifyEmail[0]!))
})

function render(mail: string, language: LanguageCode | null, values: MailOrder['values']) {
  return renderMail({ mail, language, to: 'ada@example.com', values } as MailOrder, 'https://example.net')
}
