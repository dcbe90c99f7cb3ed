import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { projectPath, type ProjectPathName } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { billingDetails } from '../../operate/seed/billing-details.ts'
import { call, signedInAs } from './people.ts'

type ProjectOptions = { plan?: string; name?: string; card?: string }
/** The people who join, and the screen of the project that the owner opens afterwards. */
type AnnsOptions = ProjectOptions & { admin?: Page; member?: Page; screen?: ProjectPathName }

/** Makes a call as the person that the page is signed in as. */
export async function ask<Name extends CallName>(
  page: Page,
  name: Name,
  data: CallInput<Name>,
): Promise<CallOutput<Name>> {
  const { token } = (await call(page.request, 'refreshSession', {})) as CallOutput<'refreshSession'>
  return (await call(page.request, name, data, token)) as CallOutput<Name>
}

/** Signs Ann up on the page and makes her a project. */
export async function annsProject(page: Page, options: AnnsOptions = {}) {
  const { admin, member, screen, ...project } = options
  await signedInAs(page, 'Ann Archer')
  const id = await aProject(page, project)
  if (admin) await joins(admin, page, id, ['admin'])
  if (member) await joins(member, page, id)
  if (screen) await page.goto(projectPath(screen, id))
  return id
}

/** Makes a project as the person on the page. If the bank asks, the answer is yes. */
export async function aProject(
  page: Page,
  { plan = 'free', name = 'Bridge renewal', card = '4242424242424242' }: ProjectOptions = {},
) {
  const { subscriptionId, clientSecret } = await buy(page, plan, card)
  if (clientSecret !== undefined) {
    await answerBank(page, clientSecret)
    await ask(page, 'completePayment', { subscriptionId })
  }
  await renames(page, subscriptionId, name)
  return subscriptionId
}

async function buy(page: Page, planId: string, card: string) {
  if (planId === 'free') return ask(page, 'createSubscription', { planId })
  const billingInfo = { billingDetails, paymentMethodId: await typedIn(page, card) }
  return ask(page, 'createSubscription', { planId, trial: false, billingInfo })
}

export function renames(page: Page, subscriptionId: string, name: string) {
  return ask(page, 'updateSubscriptionSettings', { subscriptionId, settings: { name } })
}

export function invites(
  page: Page,
  subscriptionId: string,
  email: string,
  permissions: CallInput<'createInvite'>['permissions'] = [],
  name?: string,
) {
  const invite = { subscriptionId, email, permissions }
  return ask(page, 'createInvite', name ? { ...invite, name } : invite)
}

/** Invites a guest to a project, and accepts as the guest. */
export async function joins(
  guest: Page,
  host: Page,
  subscriptionId: string,
  permissions: CallInput<'createInvite'>['permissions'] = [],
) {
  const { inviteId } = await invites(host, subscriptionId, await addressOf(guest), permissions)
  await ask(guest, 'acceptInvite', { inviteId })
}

export async function addressOf(page: Page) {
  return (await ask(page, 'refreshSession', {})).user.email
}

export async function idOf(page: Page) {
  return (await ask(page, 'refreshSession', {})).user.uid
}

/** Adds a card and makes it the default. */
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
  const expiry = { 'card[exp_month]': '12', 'card[exp_year]': '2034' }
  const card = { 'card[number]': number, ...expiry, 'card[cvc]': '123' }
  return (await askProvider(page, 'payment_methods', { type: 'card', ...card })).id
}

async function askProvider(page: Page, path: string, form: Record<string, string>) {
  const answer = await page.request.post(`/sandbox/stripe/v1/${path}`, {
    form,
    headers: { authorization: 'Bearer pk_test_sandbox' },
  })
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as { id: string }
}

/** The address where a bank asks whether a card may pay for a new project. */
export async function challengePath(page: Page) {
  const { clientSecret } = await buy(page, 'pro', '4000002760003184')
  return `/sandbox/authenticate/${clientSecret!.split('_secret_')[0]}?client_secret=${clientSecret}`
}

async function answerBank(page: Page, clientSecret: string) {
  const [intent] = clientSecret.split('_secret_')
  await page.request.post(`/sandbox/authenticate/${intent}`, {
    form: { client_secret: clientSecret, outcome: 'complete' },
  })
}
