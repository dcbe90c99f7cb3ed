// @module-tag slow
import { expect, test } from 'vitest'
import { aSandbox, aSubscription, day, invoiceOf, week } from './a-sandbox.ts'
import { readPdf } from './read-pdf.ts'

test('an invoice has a page and a PDF, whose links cannot be guessed', async () => {
  const { open, subscription } = await aSubscription()
  const { hosted_invoice_url, invoice_pdf, number } = invoiceOf(subscription)
  expect(hosted_invoice_url).toMatch(/^http:\/\/localhost:3000\/sandbox\/invoices\/in_/)
  const page = await (await open(hosted_invoice_url ?? '')).text()
  for (const words of [
    'Pergola',
    number ?? '',
    'Pro, weekly',
    '$10.00',
    'Paid on',
    'ann@example.com',
    'United States',
  ])
    expect(page).toContain(words)
  const pdf = await open(invoice_pdf ?? '')
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(await readPdf(pdf)).toEqual(
    expect.arrayContaining(['Pergola', number, 'Pro, weekly', '$10.00', 'ann@example.com']),
  )
  expect((await open(`${hosted_invoice_url}x`)).status).toBe(404)
  expect((await open('/sandbox/invoices/in_1')).status).toBe(404)
})

test('links to an invoice expire after 30 days, and every request for the invoice returns new links', async () => {
  const { stripe, open, subscription, invoices, advance } = await aSubscription()
  const { id, hosted_invoice_url, invoice_pdf } = invoiceOf(subscription)
  await advance(30 * day - 60)
  expect((await open(hosted_invoice_url ?? '')).status).toBe(200)
  await advance(60)
  for (const link of [hosted_invoice_url, invoice_pdf]) {
    const page = await open(link ?? '')
    expect([page.status, page.headers.get('content-type')]).toEqual([
      410,
      'text/html; charset=UTF-8',
    ])
    expect(await page.text()).toContain('This link has expired')
  }
  const [fresh, listed] = [await stripe.invoices.retrieve(id), (await invoices()).at(-1)]
  for (const link of [fresh.hosted_invoice_url, fresh.invoice_pdf, listed?.hosted_invoice_url])
    expect((await open(link ?? '')).status).toBe(200)
  const later = hosted_invoice_url!.replace(
    /(in_\w+)\.(\w+)/,
    (_, invoice: string, ends: string) => `${invoice}.z${ends}`,
  )
  expect((await open(later)).status).toBe(404)
})

test('the invoice page of a price change shows the credit, the charge and the amount paid', async () => {
  const { open, change, advance } = await aSubscription()
  await advance(3.5 * day)
  const { hosted_invoice_url } = invoiceOf(await change('price_enterprise'))
  const page = await (await open(hosted_invoice_url ?? '')).text()
  for (const words of [
    'Unused time on Pro',
    '-$5.00',
    'Remaining time on Enterprise',
    '$15.00',
    'Amount paid',
    '$10.00',
  ])
    expect(page).toContain(words)
})

test('the PDF of an invoice wraps long names, and shows ? for letters that are not Latin', async () => {
  const { stripe, open, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  await stripe.customers.update(customer.id, {
    name: '山田 Straße 🙂',
    address: { line1: 'Long Street Name '.repeat(20).trim(), city: '東京', country: 'JP' },
  })
  const { hosted_invoice_url, invoice_pdf } = invoiceOf(await subscribes(customer.id, card?.id))
  const lines = await readPdf(await open(invoice_pdf ?? ''))
  expect(lines).toEqual(expect.arrayContaining(['?? Stra\xdfe ?', '??', 'Japan']))
  expect(lines.filter((line) => line.includes('Street'))).toHaveLength(3)
  expect(await (await open(hosted_invoice_url ?? '')).text()).toContain('山田 Straße 🙂')
})

test('an invoice shows the custom fields and the footer of its customer', async () => {
  const { stripe, open, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  const custom_fields = ['Purchase order', 'Cost centre', 'Project', 'Contact'].map((name) => ({
    name,
    value: `${name} 4711`,
  }))
  const footer = 'Paid by the department of plants.\nThank you!'
  await stripe.customers.update(customer.id, { invoice_settings: { custom_fields, footer } })
  const invoice = invoiceOf(await subscribes(customer.id, card?.id))
  expect(invoice).toMatchObject({ custom_fields, footer })
  const shown = ['Purchase order', 'Contact 4711', 'Thank you!']
  const page = await (await open(invoice.hosted_invoice_url ?? '')).text()
  for (const words of shown) expect(page).toContain(words)
  expect(await readPdf(await open(invoice.invoice_pdf ?? ''))).toEqual(
    expect.arrayContaining(shown),
  )
  const five = [...custom_fields, { name: 'More', value: '1' }]
  await expect(
    stripe.customers.update(customer.id, { invoice_settings: { custom_fields: five } }),
  ).rejects.toMatchObject({ param: 'invoice_settings[custom_fields]' })
  const preview = await stripe.invoices.createPreview({
    customer: customer.id,
    subscription_details: { items: [{ price: 'price_pro' }] },
  })
  expect(preview).toMatchObject({ custom_fields, footer })
})

test('the sandbox’s pages escape HTML in text that people typed', async () => {
  const { stripe, open, aCustomer, subscribes } = await aSandbox()
  const { customer, card } = await aCustomer('pm_card_visa')
  await stripe.customers.update(customer.id, { name: '<script>alert(1)</script>' })
  const { hosted_invoice_url } = invoiceOf(await subscribes(customer.id, card?.id))
  expect(await (await open(hosted_invoice_url ?? '')).text()).not.toContain('<script>alert')
})

test('the sandbox’s first page lists the test cards, and its pages load styles and scripts from files', async () => {
  const { open } = await aSandbox()
  const page = await open('/sandbox')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  const text = await page.text()
  expect(text).toContain('4000 0025 0000 3155')
  expect(text).toContain('3782 822463 10005')
  expect((await open('/sandbox/assets/sandbox.css')).headers.get('content-type')).toContain(
    'text/css',
  )
  expect((await open('/sandbox/assets/authenticated.js')).headers.get('content-type')).toContain(
    'javascript',
  )
  expect((await open('/sandbox/assets/..%2Fsandbox.ts')).status).toBe(404)
  expect((await open('/sandbox/assets/constructor')).status).toBe(404)
  expect((await open('/sandbox/nowhere')).status).toBe(404)
})

test('only the app may frame the fields of a card, whose names and autofill are those of a card', async () => {
  const { open } = await aSandbox()
  const policyOf = async (path: string) => {
    const { headers } = await open(path)
    return [headers.get('content-security-policy'), headers.get('x-frame-options')]
  }
  expect(await policyOf('/sandbox/card')).toEqual([
    expect.stringMatching(/connect-src 'self'; font-src 'self'; frame-ancestors 'self'$/),
    'SAMEORIGIN',
  ])
  for (const path of ['/sandbox', '/sandbox/clock', '/sandbox/control', '/sandbox/nowhere'])
    expect(await policyOf(path)).toEqual([
      expect.stringMatching(/; frame-ancestors 'none'$/),
      'DENY',
    ])
  const page = await (await open('/sandbox/card')).text()
  const inputs = page.matchAll(/name="([^"]+)"\s+autocomplete="([^"]+)"/g)
  expect(Array.from(inputs, ([, name, autofill]) => [name, autofill])).toEqual([
    ['card.number', 'cc-number'],
    ['card.expiry', 'cc-exp'],
    ['card.cvc', 'cc-csc'],
  ])
  for (const [, asset] of page.matchAll(/(?:href|src)="(\/sandbox\/assets\/[^"]+)"/g))
    expect((await open(asset!)).status).toBe(200)
})

test('the API lists invoices in pages, newest first', async () => {
  const { stripe, customer, advance } = await aSubscription()
  await advance(4 * week)
  const first = await stripe.invoices.list({ customer: customer.id, limit: 2 })
  expect([first.object, first.data.length, first.has_more]).toEqual(['list', 2, true])
  const second = await stripe.invoices.list({
    customer: customer.id,
    limit: 2,
    starting_after: first.data[1]?.id ?? '',
  })
  const back = await stripe.invoices.list({
    customer: customer.id,
    limit: 2,
    ending_before: second.data[0]?.id ?? '',
  })
  expect(back.data.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id))
  const all = await stripe.invoices
    .list({ customer: customer.id, limit: 2 })
    .autoPagingToArray({ limit: 100 })
  expect(all).toHaveLength(5)
  expect(all.map(({ created }) => created)).toEqual(
    all.map(({ created }) => created).toSorted((a, b) => b - a),
  )
  const since = await stripe.invoices.list({
    customer: customer.id,
    created: { gte: all[1]?.created ?? 0 },
  })
  expect(since.data).toHaveLength(2)
})

test('pages and invoices show the merchant’s mark, and invoices say who sells', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const picture = `data:image/png;base64,${png.toString('base64')}`
  const { open, aCustomer, subscribes } = await aSandbox({ mark: png })
  const { customer, card } = await aCustomer('pm_card_visa')
  const { hosted_invoice_url, invoice_pdf } = invoiceOf(await subscribes(customer.id, card?.id))
  const invoice = await (await open(hosted_invoice_url ?? '')).text()
  expect(invoice).toContain(picture)
  expect(invoice).toMatch(/From<\/h2>\s*<address>\s*Pergola<br \/>\s*United States/)
  expect(await readPdf(await open(invoice_pdf ?? ''))).toContain('From')
  for (const path of ['/sandbox', '/sandbox/clock', '/sandbox/control'])
    expect(await (await open(path)).text()).toContain(picture)
})
