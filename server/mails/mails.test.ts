import { product } from '#config/product.ts'
import { expect, onTestFinished, test } from 'vitest'
import { mailExamples } from '../../tests/mail-examples.ts'
import { loadModules } from '../core/modules.ts'
import { renderMail, type MailOrder } from './mails.ts'

const stopUrl = 'https://example.net/unsubscribe?token=t'

test.each([
  ['en', 'ltr'],
  ['he', 'rtl'],
] as const)(
  'every mail in the language %s is complete as plain text and as HTML, and its HTML loads nothing from the network',
  async (language, dir) => {
    for (const order of mailExamples(language)) {
      const { subject, text, html, unsubscribe } = await render(order)
      const choose = order.stop && 'user' in order.stop
      expect(unsubscribe).toBe(choose ? stopUrl : undefined)
      const choices = [
        ...(choose ? ['https://example.net/profile#emails'] : []),
        ...(order.stop ? [stopUrl] : []),
      ]
      expect(html).toContain(`<html lang="${language}" dir="${dir}">`)
      expect(html).not.toMatch(/<script|<link|url\(|@import/)
      expect(Array.from(html.matchAll(/\bsrc="([^"]+)"/g), ([, from]) => from)).toEqual([
        'cid:mark',
      ])
      const [link] = text.match(/https:\/\/example\.net\/\S+/)!
      expect(
        [...html.matchAll(/https?:[^"<\s]+/g)].map(([url]) => url.replaceAll('&amp;', '&')),
      ).toEqual([
        link,
        link,
        link,
        'https://example.net/welcome',
        ...choices,
        product.helpUrl,
        product.termsUrl,
        product.privacyUrl,
      ])
      expect(html).not.toContain('Engine <b>')
      expect(html).toContain(`href="mailto:${product.supportEmail}"`)
      // Subject, greeting, text, lists, link, footer, and the product with its links.
      const parts = [subject, ...text.split('\n\n')]
      expect(parts.length === 6 || order.mail === 'notices.digest').toBe(true)
      expect(parts.at(-1)!.split('\n')).toEqual([
        `${product.name}: https://example.net/welcome`,
        ...choices.map((choice) => expect.stringContaining(`: ${choice}`)),
        expect.stringMatching(`: ${product.helpUrl}$`),
        expect.stringMatching(`: ${product.termsUrl}$`),
        expect.stringMatching(`: ${product.privacyUrl}$`),
        expect.stringMatching(`: ${product.supportEmail}$`),
      ])
      for (const part of parts) expect(part).not.toMatch(/\{\{|\}\}|\bmails\.|undefined|^$/)
    }
  },
)

test('an invitation says as what somebody is invited and what that allows, and leaves out what every member may do', async () => {
  const texts = mailExamples('en')
    .filter(({ mail }) => mail === 'invitation')
    .map(async (order) => (await render(order)).text.split('\n\n')[1])
  expect(await Promise.all(texts)).toEqual([
    'Ben invites you to join Engine as an editor and an administrator. Editors change what the project holds. Administrators manage people and settings, and see the billing. From Jan 15, 2027, 8:00 AM UTC on, the project asks for two-step sign-in. The invitation is open until Dec 5, 2026, 12:00 PM UTC.',
    'Ben invites you to join Untitled Project as a member. Members can open the project and see who runs it. The invitation is open until Dec 5, 2026, 12:00 PM UTC.',
  ])
})

test('a mail about an account says in its subject what changed', async () => {
  const subjects = mailExamples('en')
    .filter(({ mail }) => mail === 'securityNotice')
    .map(async (order) => (await render(order)).subject)
  expect(await Promise.all(subjects)).toEqual([
    `The password of your ${product.name} account was changed`,
    `A new address was requested for your ${product.name} account`,
    `Google was linked to your ${product.name} account`,
    `New sign-in to your ${product.name} account`,
    `New sign-in to your ${product.name} account`,
    `Wrong code at a sign-in to your ${product.name} account`,
    `Phone was added to your ${product.name} account`,
    `Phone of your ${product.name} account is now called Old phone`,
    `Phone was removed from your ${product.name} account`,
    `CI: a new access token for your ${product.name} account`,
    `New recovery codes for your ${product.name} account`,
    `A recovery code of your ${product.name} account was used`,
  ])
})

test('a former owner whose card stays gets a button that names what it opens: their profile, where they remove it', async () => {
  const buttons = mailExamples('en')
    .filter(({ mail }) => mail === 'ownershipGiven')
    .map(async (order) =>
      (await render(order)).html.match(/<a href="([^"]+)" class="button"[^>]*>([^<]+)/)!.slice(1),
    )
  const billing = ['https://example.net/subscription/a1b2/billing', 'Open billing']
  expect(await Promise.all(buttons)).toEqual([
    billing,
    billing,
    ['https://example.net/profile', 'Go to your profile'],
  ])
})

test('a mail has no links of the product where none are set', async () => {
  const { helpUrl, termsUrl, privacyUrl, supportEmail, frontOfHouse } = product
  const set = { helpUrl, termsUrl, privacyUrl, supportEmail, frontOfHouse }
  const unset = { helpUrl: '', termsUrl: '', privacyUrl: '', supportEmail: '', frontOfHouse: false }
  Object.assign(product, unset)
  onTestFinished(() => void Object.assign(product, set))
  const { text, html } = await render(mailExamples('en')[0]!)
  expect(text.split('\n\n').at(-1)).toBe(product.name)
  expect(html).not.toMatch(/Help|Terms|Privacy|mailto:/)
})

test('a mail has the English text where the translation to its language is missing', async () => {
  const [hebrew, english] = await Promise.all([
    render(mailExamples('he')[0]!),
    render(mailExamples('en')[0]!),
  ])
  expect(hebrew.subject).toBe('אימות כתובת הדוא״ל שלך')
  const ofEnglish = hebrew.text
    .replaceAll('lang=he', 'lang=en')
    .replace('אימות הכתובת:', 'Verify email address:')
  expect(ofEnglish).toBe(english.text)
})

test('a mail in Outlook is as narrow as elsewhere, and its button has a margin around the words', async () => {
  const { html } = await render(mailExamples('en')[0]!)
  expect(html).toMatch(/<!--\[if mso\]><table [^>]*width="552"/)
  expect(html).toMatch(/<td class="button" style="[^"]*mso-padding-alt:11px 20px/)
})

test('a mail to a person whose language is unknown is in English', async () => {
  expect(await render(mailExamples(null)[0]!)).toEqual(await render(mailExamples('en')[0]!))
})

async function render(order: MailOrder) {
  const { mails } = await loadModules()
  return renderMail(order, 'https://example.net', mails, order.stop && stopUrl)
}
