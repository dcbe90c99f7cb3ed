import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { test, type Page } from '@playwright/test'
import { call, signedInAs } from './people.ts'

const billingDetails = {
  name: 'Ann Archer',
  phone: '+1 217 555 0100',
  address: {
    line1: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
  },
}

/** A call of whoever the page is signed in as. */
export async function ask<Name extends CallName>(
  page: Page,
  name: Name,
  data: CallInput<Name>,
): Promise<CallOutput<Name>> {
  const { token } = (await call(page.request, 'refreshSession', {})) as CallOutput<'refreshSession'>
  return (await call(page.request, name, data, token)) as CallOutput<Name>
}

/** A project of whoever the page is signed in as, bought with a card if it costs something; its bank, should it ask, hears a yes. */
export async function aProject(
  page: Page,
  { plan = 'pro', name = 'Bridge renewal', card = '4242424242424242' } = {},
) {
  const billingInfo =
    plan === 'free'
      ? {}
      : { billingInfo: { billingDetails, paymentMethodId: await typedIn(page, card) } }
  const { subscriptionId, clientSecret } = await ask(page, 'createSubscription', {
    planId: plan,
    ...billingInfo,
  })
  if (clientSecret !== undefined) {
    await answerBank(page, clientSecret)
    await ask(page, 'completePayment', { subscriptionId })
  }
  await ask(page, 'updateSubscriptionSettings', { subscriptionId, settings: { name } })
  return subscriptionId
}

/** Somebody with an account of their own comes in as an administrator. */
export async function joinsAsAdmin(guest: Page, host: Page, subscriptionId: string) {
  const address = await signedInAs(guest, 'Bob Baker')
  const { inviteId } = await ask(host, 'createInvite', {
    subscriptionId,
    email: address,
    permissions: ['admin'],
  })
  await ask(guest, 'acceptInvite', { inviteId })
}

/** Somebody else, at a computer of their own, comes in as an administrator. */
export async function joinedByAdmin(host: Page, subscriptionId: string) {
  await elsewhere(host, (guest) => joinsAsAdmin(guest, host, subscriptionId))
}

/** A project of somebody else, who is at a computer of their own; whoever the page is of comes in as an administrator. */
export async function aJoinedProject(guest: Page) {
  return elsewhere(guest, async (host) => {
    await signedInAs(host, 'Ann Archer')
    const subscriptionId = await aProject(host, { plan: 'free' })
    await joinsAsAdmin(guest, host, subscriptionId)
    return subscriptionId
  })
}

async function elsewhere<Result>(page: Page, act: (other: Page) => Promise<Result>) {
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: test.info().project.use.baseURL! })
  try {
    return await act(await context.newPage())
  } finally {
    await context.close()
  }
}

/** One more card, which is charged from then on. */
export async function switchToCard(page: Page, subscriptionId: string, card: string) {
  const { clientSecret } = await ask(page, 'createSetupIntent', { subscriptionId })
  const [intent] = clientSecret.split('_secret_')
  const paymentMethodId = await typedIn(page, card)
  await askProvider(page, `setup_intents/${intent}/confirm`, {
    client_secret: clientSecret,
    payment_method: paymentMethodId,
  })
  await ask(page, 'setDefaultPaymentMethod', { subscriptionId, paymentMethodId })
}

async function typedIn(page: Page, number: string) {
  const card = {
    'card[number]': number,
    'card[exp_month]': '12',
    'card[exp_year]': '2034',
    'card[cvc]': '123',
  }
  const { id } = await askProvider(page, 'payment_methods', { type: 'card', ...card })
  return id
}

async function askProvider(page: Page, path: string, form: Record<string, string>) {
  const answer = await page.request.post(`/sandbox/stripe/v1/${path}`, {
    form,
    headers: { authorization: 'Bearer pk_test_sandbox' },
  })
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

/** Where the bank of a card asks whether a new project may be paid with it. */
export async function challengePath(page: Page) {
  const paymentMethodId = await typedIn(page, '4000002760003184')
  const { clientSecret } = await ask(page, 'createSubscription', {
    planId: 'pro',
    billingInfo: { billingDetails, paymentMethodId },
  })
  return `/sandbox/authenticate/${clientSecret!.split('_secret_')[0]}?client_secret=${clientSecret}`
}

async function answerBank(page: Page, clientSecret: string) {
  const [intent] = clientSecret.split('_secret_')
  await page.request.post(`/sandbox/authenticate/${intent}`, {
    form: { client_secret: clientSecret, outcome: 'complete' },
  })
}
