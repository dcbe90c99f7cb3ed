import { languages } from '#config/languages.ts'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { aSandbox, intentOf, invoiceOf } from '../tests/stripe/a-sandbox.ts'
import { chooseLanguage } from './pages/reader.ts'

const all = ['en', 'zh', 'zh-TW', 'de', 'fr', 'es', 'pt', 'ja', 'ko']
const ours = Object.entries(languages).map(([code, { paymentLocale = code }]) => ({
  code,
  paymentLocale,
}))

test.each([
  ['the language asked for goes first', 'pt-BR', ['de'], 'fr', 'pt'],
  ['then what the customer prefers', 'xx', ['it', 'zh-TW', 'ja'], 'fr', 'zh-TW'],
  [
    'then what the browser prefers, by weight',
    undefined,
    [],
    'fr;q=0.5, it, zh-HK;q=0.8, ja;q=0',
    'zh-TW',
  ],
  ['then English', undefined, ['it'], 'it, *;q=0.1', 'en'],
  ['whatever a browser sends', '', [''], ',;q=,=;;', 'en'],
  ['English also without any wish', undefined, [], undefined, 'en'],
])('%s', async (_, locale, preferred, accepted, language) => {
  const app = new Hono().get('/', (c) =>
    c.text(chooseLanguage(c, all, [c.req.query('locale') ?? '', ...preferred])),
  )
  const path = locale === undefined ? '/' : `/?locale=${locale}`
  const answer = await app.request(path, {
    headers: accepted === undefined ? {} : { 'accept-language': accepted },
  })
  expect(await answer.text()).toBe(language)
})

test.each(ours)(
  'every page is in $code where it is asked for, with its words and a title',
  async ({ code, paymentLocale }) => {
    const { stripe, open, control, aCustomer, subscribes } = await aSandbox()
    const { customer, card } = await aCustomer('pm_card_visa')
    const { hosted_invoice_url } = invoiceOf(await subscribes(customer.id, card?.id))
    const asking = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
      customer: customer.id,
    })
    const challenge = intentOf(await subscribes(customer.id, asking.id)).next_action
      ?.redirect_to_url?.url
    await control({
      charges: { fail: 2 },
      webhooks: { mode: 'hold', copies: 2 },
      api: { fault: 500, skip: 9, delay: 5 },
    })
    const pages = [
      '/sandbox',
      '/sandbox/clock',
      '/sandbox/control',
      '/sandbox/nowhere',
      hosted_invoice_url!,
      challenge!,
    ]
    for (const path of pages) {
      const text = await (
        await open(withLocale(path, paymentLocale), { headers: { 'accept-language': 'it' } })
      ).text()
      expect(text).toContain(`<html lang="${code}">`)
      expect(text).toMatch(/<title>[^<]+ · [^<]+<\/title>/)
      expect(text).not.toMatch(/\bsandbox\.[a-z]+\.|\{\{|undefined|\[object/)
    }
  },
)

test.each(ours)(
  'invoices and 3-D Secure are in $code where the customer prefers it',
  async ({ code, paymentLocale }) => {
    const { stripe, open, aCustomer, subscribes } = await aSandbox()
    const { customer, card } = await aCustomer('pm_card_authenticationRequired')
    await stripe.customers.update(customer.id, { preferred_locales: [paymentLocale] })
    const subscription = await subscribes(customer.id, card?.id)
    const { hosted_invoice_url, invoice_pdf } = invoiceOf(subscription)
    const browser = { headers: { 'accept-language': code === 'en' ? 'de' : 'en' } }
    for (const path of [
      hosted_invoice_url!,
      intentOf(subscription).next_action!.redirect_to_url!.url!,
    ])
      expect(await (await open(path, browser)).text()).toContain(`<html lang="${code}">`)
    const pdf = await open(invoice_pdf!, browser)
    expect(pdf.headers.get('content-language')).toBe(code)
    expect(Buffer.from(await pdf.arrayBuffer()).toString('latin1')).toContain(`/Lang (${code})`)
  },
)

test('the language that was asked for goes along to other pages, and comes back with an answer', async () => {
  const { open, submit } = await aSandbox()
  const page = await (await open('/sandbox?locale=en')).text()
  for (const path of ['/sandbox/clock', '/sandbox/control'])
    expect(page).toContain(`href="${path}?locale=en"`)
  const moved = await submit('/sandbox/clock?locale=en', { advanceSeconds: '60' })
  expect(moved.headers.get('location')).toBe('/sandbox/clock?locale=en')
  const reset = await submit('/sandbox/control?locale=en', { reset: 'true' })
  expect(reset.headers.get('location')).toBe('/sandbox/control?locale=en#reset')
})

function withLocale(path: string, locale: string) {
  const url = new URL(path, 'http://localhost:3000')
  url.searchParams.set('locale', locale)
  return url.href
}
