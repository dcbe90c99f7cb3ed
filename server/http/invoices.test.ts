import { rateLimits } from '#config/limits.ts'
import { expect, test } from 'vitest'
import { aWorldWith } from '../../tests/world.ts'

async function anInvoice() {
  const [world, ann] = await aWorldWith('ann')
  const { subscriptionId } = await ann.buys()
  const { invoices } = await ann.does('listInvoices', { subscriptionId })
  const { pathname } = new URL(invoices[0]!.hosted_invoice_url!)
  const open = async (path: string) => (await world.request(path)).status
  return { world, invoice: invoices[0]!, pathname, open }
}

test('an invoice opens after a neighbour has tried too many addresses that do not exist', async () => {
  const { world, pathname, open } = await anInvoice()
  expect(await open('/invoices/guess')).toBe(404)
  await world.useUp('invoicesByNetwork', 'unknown', rateLimits.invoicesByNetwork.tries - 1)
  expect(await open('/invoices/guess')).toBe(429)
  expect(await open(pathname)).toBe(302)
  expect(await open(`${pathname}.pdf`)).toBe(302)
})

test('the number of times that one invoice is opened is limited, because each asks the provider', async () => {
  const { world, invoice, pathname, open } = await anInvoice()
  await world.useUp('openingsByInvoice', invoice.id, rateLimits.openingsByInvoice.tries - 1)
  expect(await open(pathname)).toBe(302)
  expect(await open(pathname)).toBe(429)
})

test('a link that a mail program has bent leads to the one that was mailed, and a typed search stays', async () => {
  const { world, pathname } = await anInvoice()
  const leadsTo = async (path: string) => (await world.request(path)).headers.get('location')
  const action = '/auth/action?mode=verifyEmail&oobCode=a_b-'
  for (const ending of [
    '.',
    ')',
    '>',
    '%3E',
    ']',
    '%22',
    '%E2%80%9D',
    '%C2%BB',
    '%E3%80%82',
    '>).',
  ])
    for (const link of [pathname, `${pathname}.pdf`, action, '/invitation?code=a_b-', '/profile'])
      expect(await leadsTo(link + ending)).toBe(link)
  expect(await leadsTo(`${action.replace('&', '&amp;')}&amp;lang=en`)).toBe(`${action}&lang=en`)
  expect(await leadsTo(action.replace('&', '&amp;amp;'))).toBe(action)
  for (const kept of [action, '/subscription/x/users?search=a.', '/dashboard?search=%26amp%3Bb)'])
    expect(await leadsTo(kept)).toBeNull()
  expect((await leadsTo('//example.com.')) ?? '').not.toMatch(/^\/\//)
})
