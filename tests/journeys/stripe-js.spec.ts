import type { Page } from '@playwright/test'
import { fill, signedInAs } from './people.ts'
import { annsProject, ask } from './projects.ts'
import { withStripeJs, type StripeCall } from './stripe-js.ts'
import { expect, expectPassing, test } from './visitor.ts'

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

function callsTo(calls: StripeCall[], name: string) {
  return calls.filter(([called]) => called === name).map(([, argument]) => argument)
}

async function openCheckout(page: Page) {
  await signedInAs(page, 'Ann Archer')
  const stripe = await withStripeJs(page)
  await page.goto('/create-plan?plan=pro')
  await fill(page, address)
  return stripe
}

const pay = (page: Page) => page.getByRole('button', { name: /create project/i }).click()
const bank = (page: Page) => page.getByRole('dialog', { name: 'Bank' })

test('Stripe’s fields take only cards, and a card pays for a project', async ({ page }) => {
  const stripe = await openCheckout(page)
  await fill(page, card)
  const calls = await stripe.calls()
  expect(callsTo(calls, 'Stripe')).toEqual([{ key: 'pk_test_sandbox' }])
  expect(callsTo(calls, 'elements')).toMatchObject([
    {
      mode: 'subscription',
      amount: 1000,
      currency: 'usd',
      paymentMethodCreation: 'manual',
      allowedPaymentMethodTypes: ['card'],
    },
  ])
  expect(callsTo(calls, 'payment')).toMatchObject([
    { wallets: { applePay: 'never', googlePay: 'never', link: 'never' } },
  ])
  expect(callsTo(calls, 'address')).toMatchObject([
    { mode: 'billing', fields: { phone: 'always' } },
  ])
  await pay(page)
  await expect(page).toHaveURL(/\/settings$/)
})

test.describe('a card that is declined', () => {
  test.use({ expectedRefusals: ['createSubscription'] })

  test('shows why and keeps what was typed, and another card pays', async ({ page }) => {
    await openCheckout(page)
    await fill(page, { ...card, 'Card number': declined })
    await pay(page)
    await expect(page.getByText('The card was declined')).toBeVisible()
    await expectTyped(page, { ...address, 'Card number': declined })
    await fill(page, { 'Card number': good })
    await pay(page)
    await expect(page).toHaveURL(/\/settings$/)
  })
})

test('fields that Stripe finds incomplete are not sent', async ({ page }) => {
  const stripe = await openCheckout(page)
  await pay(page)
  await expect(page.getByText('Failed to submit payment details.')).toBeVisible()
  expect(callsTo(await stripe.calls(), 'createPaymentMethod')).toEqual([])
  await expectTyped(page, address)
})

test('Stripe shows the bank’s question, and after a yes the project is there', async ({ page }) => {
  const stripe = await openCheckout(page)
  await fill(page, { ...card, 'Card number': asksFirst })
  await pay(page)
  await bank(page).getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  expect(callsTo(await stripe.calls(), 'handleNextAction')).toEqual([
    { clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/) },
  ])
})

test.describe('a bank whose question', () => {
  test.use({ expectedRefusals: ['completePayment', 'createSubscription'] })

  for (const [answer, words] of [
    ['Fail', 'did not confirm that it was you'],
    ['Close', "The payment isn't complete yet"],
  ] as const)
    test(`ends with ${answer} leaves the form as it was, and another card pays`, async ({
      page,
    }) => {
      await openCheckout(page)
      await fill(page, { ...card, 'Card number': asksFirst })
      await pay(page)
      await bank(page).getByRole('button', { name: answer }).click()
      await expect(page.getByText(words)).toBeVisible()
      await expectTyped(page, { ...address, 'Card number': asksFirst })
      await fill(page, { 'Card number': good })
      await pay(page)
      await expect(page).toHaveURL(/\/settings$/)
      expect((await ask(page, 'listSubscriptions', {})).total).toBe(1)
    })
})

test.describe('an added card', () => {
  test('is confirmed with its holder’s name, takes only cards, and returns to this screen', async ({
    page,
  }) => {
    const id = await annsProject(page)
    const stripe = await openCards(page, id, '5555555555554444')
    await page.getByRole('button', { name: 'Save card' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: '4444' })).toContainText('Default')
    const calls = await stripe.calls()
    expect(callsTo(calls, 'elements')).toMatchObject([
      { mode: 'setup', currency: 'usd', allowedPaymentMethodTypes: ['card'] },
    ])
    expect(callsTo(calls, 'payment')).toMatchObject([
      { fields: { billingDetails: { name: 'never' } }, wallets: { link: 'never' } },
    ])
    expect(callsTo(calls, 'confirmSetup')).toMatchObject([
      {
        clientSecret: expect.stringMatching(/^seti_/),
        redirect: 'if_required',
        confirmParams: {
          return_url: expect.stringMatching(
            new RegExp(`/subscription/${id}/billing/payment-methods`),
          ),
          payment_method_data: { billing_details: { name: 'Ann Archer' } },
        },
      },
    ])
  })

  test('whose bank asks on a page of its own is kept when the buyer returns', async ({ page }) => {
    const id = await annsProject(page, { plan: 'free' })
    const { redirectToBank } = await openCards(page, id, asksFirst)
    await redirectToBank()
    await page.getByRole('button', { name: 'Save card' }).click()
    await page.getByRole('button', { name: 'Complete authentication' }).click()
    await expectPassing(page, 'The card is saved.', () =>
      page.getByRole('link', { name: /back/i }).click(),
    )
    await expect(page).not.toHaveURL(/setup_intent/)
    expect(
      (await ask(page, 'getPaymentMethods', { subscriptionId: id })).paymentMethods,
    ).toHaveLength(1)
  })
})

async function openCards(page: Page, id: string, number: string) {
  const stripe = await withStripeJs(page)
  await page.goto(`/subscription/${id}/billing/payment-methods`)
  await page.getByRole('link', { name: 'Add card' }).click()
  await fill(page, { 'Cardholder name': 'Ann Archer', ...card, 'Card number': number })
  return stripe
}
