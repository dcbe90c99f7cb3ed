import { paths, projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { fill, openCheckout, submit } from './people.ts'
import { annsProject, aProject, ask } from './projects.ts'
import { withStripeJs } from './stripe-js.ts'
import { expect, mayRefuse, shows, test } from './visitor.ts'

const good = '4242424242424242'
const asksFirst = '4000002500003155'
const declined = '4000000000000341'

const address = {
  'Full name': 'Ann Archer',
  Address: '1 Main Street',
  City: 'Springfield',
  State: 'IL',
  'ZIP code': '62701',
  'Phone number': '+1 217 555 0100',
}
const card = { 'Card number': good, Expiration: '12 / 34', CVC: '123' }

async function expectTyped(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
}

async function openStripesCheckout(page: Page) {
  const stripe = await withStripeJs(page)
  await openCheckout(page)
  await fill(page, address)
  return stripe
}

const pay = (page: Page, fields?: Record<string, string>) =>
  submit(page, 'Pay $10.00 and create project', fields)

test('Stripe’s fields take only cards and send nothing incomplete', async ({ page }) => {
  const { callsTo } = await openStripesCheckout(page)
  expect(await callsTo('Stripe')).toEqual([{ key: 'pk_test_sandbox' }])
  expect(await callsTo('elements')).toMatchObject([
    {
      mode: 'subscription',
      amount: 1000,
      currency: 'usd',
      paymentMethodCreation: 'manual',
      allowedPaymentMethodTypes: ['card'],
    },
  ])
  const wallets = { applePay: 'never', googlePay: 'never', link: 'never' }
  expect(await callsTo('payment')).toMatchObject([{ wallets }])
  const fields = { phone: 'always' }
  expect(await callsTo('address')).toMatchObject([{ mode: 'billing', fields }])
  await pay(page)
  await shows(page, 'Failed to submit payment details.')
  expect(await callsTo('createPaymentMethod')).toEqual([])
  await expectTyped(page, address)
  await pay(page, card)
  await expect(page).toHaveURL(/\/settings$/)
})

test('Stripe shows the bank’s question, and a yes creates the project', async ({ page }) => {
  const { callsTo } = await openStripesCheckout(page)
  await pay(page, { ...card, 'Card number': asksFirst })
  await page.getByRole('dialog', { name: 'Bank' }).getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  expect(await callsTo('handleNextAction')).toEqual([
    { clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/) },
  ])
})

for (const [what, number, answer, words] of [
  ['a card that is declined', declined, undefined, 'The card was declined'],
  ['a bank that says no', asksFirst, 'Fail', "didn't confirm it was you"],
  ['a bank that gets no answer', asksFirst, 'Close', 'Nothing was charged'],
] as const)
  test(`${what} leaves the form as it was, and another card pays`, async ({ page }) => {
    mayRefuse(page, 'completePayment', 'createSubscription')
    await openStripesCheckout(page)
    await pay(page, { ...card, 'Card number': number })
    if (answer) await page.getByRole('dialog').getByRole('button', { name: answer }).click()
    await shows(page, words)
    await expectTyped(page, { ...address, 'Card number': number })
    await pay(page, { 'Card number': good })
    await expect(page).toHaveURL(/\/settings$/)
    expect((await ask(page, 'listSubscriptions', {})).total).toBe(1)
  })

test('the app gives Stripe the holder’s name when it adds a card', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro' })
  const { callsTo } = await addCard(page, id, '5555555555554444')
  await page.getByRole('button', { name: 'Save card' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '4444' })).toContainText('Default')
  expect(await callsTo('elements')).toMatchObject([
    { mode: 'setup', currency: 'usd', allowedPaymentMethodTypes: ['card'] },
  ])
  expect(await callsTo('payment')).toMatchObject([
    { fields: { billingDetails: { name: 'never' } }, wallets: { link: 'never' } },
  ])
  expect(await callsTo('confirmSetup')).toMatchObject([
    {
      clientSecret: expect.stringMatching(/^seti_/),
      redirect: 'if_required',
      confirmParams: {
        return_url: expect.stringContaining(projectPath('managePaymentMethods', id)),
        payment_method_data: { billing_details: { name: 'Ann Archer' } },
      },
    },
  ])
})

test('a card is saved even if its bank asks on a page of its own', async ({ page }) => {
  const subscriptionId = await annsProject(page)
  const { redirectToBank } = await addCard(page, subscriptionId, asksFirst)
  await redirectToBank()
  await page.getByRole('button', { name: 'Save card' }).click()
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  // The bank's page leads back by itself.
  await shows(page, 'The card is saved.')
  await expect(page).not.toHaveURL(/setup_intent/)
  const { paymentMethods } = await ask(page, 'getPaymentMethods', { subscriptionId })
  expect(paymentMethods).toHaveLength(1)
})

test('an answer of Stripe without a card is told at the checkout and where a card is added', async ({
  page,
}) => {
  const { makeNoCard } = await openStripesCheckout(page)
  await makeNoCard()
  await pay(page, card)
  await shows(page, 'No payment method created.')
  await expectTyped(page, address)
  const id = await aProject(page)
  await (await addCard(page, id, good)).makeNoCard()
  await page.getByRole('button', { name: 'Save card' }).click()
  await shows(page, 'No payment method created.')
})

test('while something blocks Stripe’s script, each form that wants a card says so, and goes on from there', async ({
  page,
}) => {
  const id = await annsProject(page)
  // A tab that `watch` leaves alone, because it logs the blocked request.
  const tab = await page.context().newPage()
  await withStripeJs(tab)
  let isBlocked = true
  await tab.route('https://js.stripe.com/**', (route) =>
    isBlocked ? route.abort('blockedbyclient') : route.fallback(),
  )
  for (const [path, field] of [
    [`${paths.createPlan}?plan=pro`, 'Full name'],
    [`${projectPath('changePlan', id)}?plan=pro`, 'Full name'],
    [`${projectPath('managePaymentMethods', id)}?add`, 'Card number'],
  ] as const) {
    isBlocked = true
    await tab.goto(path)
    await shows(tab, /A content blocker or your network may be keeping out js.stripe.com/)
    isBlocked = false
    await tab.getByRole('button', { name: 'Try again' }).click()
    await expect(tab.getByLabel(field, { exact: true })).toBeVisible()
    await expect(tab.getByText('js.stripe.com')).toHaveCount(0)
  }
})

async function addCard(page: Page, id: string, number: string) {
  const stripe = await withStripeJs(page)
  await page.goto(projectPath('managePaymentMethods', id))
  await page.getByRole('link', { name: 'Add card' }).click()
  await fill(page, { 'Cardholder name': 'Ann Archer', ...card, 'Card number': number })
  return stripe
}
