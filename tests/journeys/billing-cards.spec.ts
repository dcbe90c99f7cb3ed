import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import {
  bankFrame,
  billing,
  cardFrame,
  confirm,
  fillCard,
  grouped,
  newAddress,
  newestMail,
  submit,
} from './people.ts'
import { addressOf, annsProject, ask, invites } from './projects.ts'
import {
  changeAnswers,
  changeProject,
  expect,
  expectPassing,
  hold,
  mayRefuse,
  shows,
  test,
} from './visitor.ts'

const asksOnce = '4000002500003155'

/** Makes Ann a paid project and opens the form for another card. */
async function addCard(page: Page) {
  const id = await annsProject(page, { plan: 'pro', screen: 'managePaymentMethods' })
  await openForm(page)
  return id
}

async function openForm(page: Page) {
  await page.getByRole('link', { name: 'Add card' }).click()
  await expect(cardFrame(page).getByLabel('Card number')).toBeFocused()
}

async function saveCard(page: Page, number: string) {
  await fillCard(page, number)
  await submit(page, 'Save card', { 'Cardholder name': 'Ann Archer' })
}

function cardEndingIn(page: Page, last4: string) {
  return page.getByRole('listitem').filter({ hasText: last4 })
}

test('the owner makes a new card the default and deletes the former one', async ({ page }) => {
  await addCard(page)
  const visa = cardEndingIn(page, '4242')
  const mastercard = cardEndingIn(page, '4444')
  await expect(visa).toContainText('Default')
  await visa.getByRole('button', { name: 'Delete card' }).click()
  const inUse = page.getByRole('dialog', { name: 'Visa •••• 4242 pays for this project' })
  await shows(inUse, /Make another card the default first\.$/)
  await expect(inUse.getByRole('link', { name: 'Add card' })).toBeVisible()
  await inUse.getByRole('button', { name: 'Close' }).click()
  await expect(visa.getByRole('button', { name: 'Delete card' })).toBeFocused()

  await page.getByRole('checkbox', { name: 'Use this card for future payments' }).uncheck()
  await saveCard(page, '5555555555554444')
  await shows(page, 'The card is saved.')
  await expect(mastercard).not.toContainText('Default')
  await mastercard.getByRole('button', { name: 'Make default: Mastercard •••• 4444' }).click()
  await shows(page, 'Mastercard •••• 4444 pays for this project now.')
  await expect(mastercard).toContainText('Default')

  await visa.getByRole('button', { name: 'Delete card Visa •••• 4242' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await visa.getByRole('button', { name: 'Delete card Visa •••• 4242' }).click()
  await confirm(page, 'Delete card: Visa •••• 4242', 'Delete card')
  await shows(page, 'Visa •••• 4242 is deleted.')
  await expect(visa).toBeHidden()
  await expect(page.getByRole('region', { name: 'Payment methods' })).toBeFocused()
})

test('the form says why a card is refused, and accepts another card', async ({ page }) => {
  mayRefuse(page, 'setup_intents/seti', 'payment_methods')
  await annsProject(page, { screen: 'managePaymentMethods' })
  await shows(page, 'A free project needs no card.')
  await openForm(page)
  await saveCard(page, '4000000000000002')
  await shows(cardFrame(page), 'The card was declined. Try another card, or ask your bank.')
  await expect(page.getByLabel('Cardholder name')).toHaveValue('Ann Archer')
  await expect(cardFrame(page).getByLabel('Card number')).toHaveValue('4000 0000 0000 0002')
  await saveCard(page, '4242424242424241')
  await expect(cardFrame(page).getByLabel('Card number')).toHaveAccessibleDescription(
    'Check the card number.',
  )
  await saveCard(page, '4242424242424242')
  await expect(cardEndingIn(page, '4242')).toBeVisible()
  await expect(page.getByLabel('Cardholder name')).toBeHidden()
})

test('a card is saved only after its owner has confirmed to the bank', async ({ page }) => {
  await addCard(page)
  const bank = bankFrame(page)
  const save = page.getByRole('button', { name: 'Save card' })
  await saveCard(page, asksOnce)
  await bank.getByRole('button', { name: 'Fail authentication' }).click()
  await shows(page, "didn't confirm it was you")
  await expect(cardFrame(page).getByLabel('Card number')).toHaveValue(grouped(asksOnce))

  await save.click()
  await expect(bank.getByRole('button', { name: 'Complete authentication' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await shows(page, "didn't confirm it was you")
  await expect(save).toBeFocused()

  await save.click()
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await shows(page, 'The card is saved and pays for this project now.')
  await expect(cardEndingIn(page, '3155')).toContainText('Default')
})

test('a card added while a payment is overdue leads back to where it pays, until it has', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'pro' })
  const { paymentMethods } = await ask(page, 'getPaymentMethods', { subscriptionId: id })
  const [visa] = paymentMethods
  await changeProject(page, (subscription) => Object.assign(subscription, { payment: 'past_due' }))
  await changeAnswers(page, 'previewPayment', (answer) => {
    answer.owed = { due: 1000, currency: 'usd', declined: { id: visa!.id, card: visa!.card } }
  })
  await page.goto(projectPath('billing', id))
  await page.getByRole('link', { name: 'Add another card' }).click()
  await expect(cardFrame(page).getByLabel('Card number')).toBeFocused()
  await expect(cardEndingIn(page, '4242')).toContainText('Declined')
  await saveCard(page, '5555555555554444')
  const offer = page.getByText('The card is saved. You can pay with it now.')
  // Under the pointer it stays by itself.
  await offer.hover()
  await expect(page).toHaveURL(projectPath('billing', id))
  await expect(page.getByRole('radio', { name: /Mastercard/ })).toBeChecked()
  await page.route('**/api/payInvoice', (route) => route.fulfill({ json: { result: {} } }))
  await page.getByRole('button', { name: 'Pay $10.00' }).press('Enter')
  await shows(page, '$10.00 paid with Mastercard •••• 4444')
  await expect(offer).toHaveCount(0)
})

for (const [answer, words] of [
  ['Complete authentication', 'The card is saved and pays for this project now.'],
  ['Fail authentication', "didn't confirm it was you"],
] as const)
  test(`the owner returns from the bank’s own page after “${answer}”`, async ({ page }) => {
    const id = await addCard(page)
    await saveCard(page, asksOnce)
    const question = await page.locator('dialog iframe').getAttribute('src')
    await page.goto(question!)
    await page.getByRole('button', { name: answer }).click()
    await shows(page, words)
    await expect(page).toHaveURL(new RegExp(`/subscription/${id}/billing/payment-methods$`))
  })

test('billing details are saved, and mistakes show at their fields', async ({ page }) => {
  mayRefuse(page, 'updateBillingDetails')
  const here = projectPath('updateBillingDetails', await annsProject(page))
  const { 'Full name': _, ...ofPayer } = billing
  const typed = {
    ...ofPayer,
    'Billing name': 'Archer Bridges Ltd',
    'Address line 2': 'Second floor',
  }
  const taxId = page.getByRole('textbox', { name: 'Tax ID' })
  const line2 = page.getByLabel('Address line 2')
  const email = page.getByLabel('Send receipts and payment emails to')
  const receipts = page.getByRole('checkbox', { name: 'Email a receipt' })
  const save = page.getByRole('button', { name: 'Save billing details' })

  await page.goto(here)
  await expect(page.getByLabel('Country')).toHaveValue('US')
  await save.click()
  await expect(page.getByLabel('Billing name')).toBeFocused()
  for (const [label, value] of Object.entries(typed)) await page.getByLabel(label).fill(value)
  await page.getByLabel('Country').selectOption('DE')
  await expect(page.getByLabel('Type of tax ID')).toHaveValue('eu_vat')
  await taxId.fill('nonsense')
  await page.getByLabel('Phone').fill('12')
  await save.click()
  await expect(page.getByLabel('Phone')).toBeFocused()
  await expect(page.getByLabel('Phone')).toHaveAccessibleDescription(/^This is too short/)
  await page.getByLabel('Phone').fill(billing.Phone)
  await email.fill('Books@Example.com')
  const wanted = !(await receipts.isChecked())
  await receipts.setChecked(wanted)
  await save.click()
  await expect(taxId).toBeFocused()
  await expect(taxId).toHaveAccessibleDescription(/doesn't match its type/)
  await taxId.fill('DE123456789')
  await expectPassing(page, 'Your billing details are saved', () => save.click())
  await expect(page).toHaveURL(/\/billing$/)

  await page.goto(here)
  const { State, 'ZIP code': zip, ...others } = typed
  const saved = { ...others, 'State or province': State, 'Postal code': zip }
  for (const [label, value] of Object.entries(saved))
    await expect(page.getByLabel(label)).toHaveValue(value)
  await expect(page.getByLabel('Country')).toHaveValue('DE')
  await expect(taxId).toHaveValue('DE123456789')
  await expect(email).toHaveValue('books@example.com')
  await expect(receipts).toBeChecked({ checked: wanted })

  for (const field of [taxId, line2, email]) await field.fill('')
  await save.click()
  await expect(page).toHaveURL(/\/billing$/)
  await page.goto(here)
  await expect(page.getByLabel('City')).toHaveValue('Springfield')
  for (const field of [taxId, line2, email]) await expect(field).toHaveValue('')
})

test('an invited administrator who has not joined can’t become the owner', async ({ page }) => {
  const id = await annsProject(page)
  await invites(page, id, newAddress('bob'), ['admin'])
  await page.goto(projectPath('transferOwnership', id))
  await shows(page, 'No eligible admin users found to transfer ownership to')
  await page.getByRole('link', { name: 'Go to users' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
})

test('while nothing is charged, a transfer names no date', async ({ page, another }) => {
  const guest = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'pro', admin: guest })
  await changeProject(page, (subscription) => Object.assign(subscription, { is_paused: true }))
  await page.goto(projectPath('transferOwnership', id))
  await shows(page, 'The new owner takes over payments. None is due right now.')
  await page.getByRole('radio', { name: 'Bob Baker' }).check()
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transfer ownership: Bob Baker' })
  await shows(dialog, /becomes the owner of/)
  await expect(dialog).not.toContainText('before')
})

test('the chosen administrator becomes the owner, and adds a card', async ({ page, another }) => {
  const guest = await another('Bob Baker')
  const bob = await addressOf(guest)
  const id = await annsProject(page, { plan: 'pro', admin: guest, screen: 'transferOwnership' })
  const transfer = page.getByRole('button', { name: 'Transfer ownership' })
  const choice = page.getByRole('radio', { name: 'Bob Baker' })
  const mark = () => choice.evaluate((radio) => getComputedStyle(radio, '::before').content)
  await expect(choice).not.toBeChecked()
  expect(await mark()).toBe('none')
  await transfer.click()
  await shows(page, 'Choose who becomes the owner.')
  await shows(
    page,
    /^All cards are removed from this project\. The new owner has to add one before/,
  )
  const keep = page.getByRole('checkbox', { name: 'Leave Visa •••• 4242 on this project' })
  await expect(keep).not.toBeChecked()
  await choice.check()
  expect(await mark()).toBe('""')
  await transfer.click()
  await shows(page.getByRole('dialog', { name: 'Transfer ownership: Bob Baker' }), bob)
  // The screen stays until the page has read who owns the project now.
  const goOn = await hold(page, '**/api/getSubscription')
  await page.clock.install()
  await expectPassing(page, 'Bob Baker is now the owner.', () =>
    confirm(page, 'Transfer ownership: Bob Baker', 'Transfer ownership'),
  )
  await page.clock.fastForward(10_000)
  await expect(page).toHaveURL(/\/transfer-ownership$/)
  goOn()
  await expect(page).toHaveURL(/\/billing$/)
  await shows(page, 'Only the subscription owner can perform this action')
  await expect(page.getByRole('link', { name: 'Change plan' })).toBeDisabled()
  const ann = await addressOf(page)
  await expect.poll(() => newestMail(page, ann)).toBe('Bob Baker now owns Bridge renewal')
  await expect.poll(() => newestMail(page, bob)).toBe('You now own Bridge renewal')

  await shows(page, /The owner has to add one before \w+ \d+, \d{4}\./)
  await guest.goto(`/subscription/${id}/users`)
  await shows(guest, /^Add a card before \w+ \d+, \d{4}\./)
  await guest.goto(`/subscription/${id}`)
  await shows(guest, "There's no card to charge.")
  await guest.getByRole('link', { name: 'Add card' }).click()
  await expect(cardEndingIn(guest, '4242')).toBeHidden()
  await saveCard(guest, '5555555555554444')
  await expect(cardEndingIn(guest, '4444')).toContainText('Default')
  await guest.goto(`/subscription/${id}`)
  await shows(guest, /^Mastercard ••••\s4444$/)
  await guest.goto(`/subscription/${id}/users`)
  await expect(guest.getByRole('heading', { name: 'Users' })).toBeVisible()
  await expect(guest.getByText(/^Add a card before/)).toBeHidden()
})

test('from their profile an owner reaches the card that pays, where another can take its place', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'pro' })
  await page.goto('/profile')
  const cards = page.getByRole('list', { name: 'Your cards' })
  await expect(cards.getByRole('button')).toHaveCount(0)
  const manage = cards.getByRole('link', { name: 'Manage' })
  await expect(manage).toHaveAccessibleDescription('Pays for Bridge renewal')
  await manage.click()
  await expect(page).toHaveURL(`/subscription/${id}/billing/payment-methods`)
})

test('a card that a former owner left is removed on their profile', async ({ page, another }) => {
  // The open billing is read again when its reader has left the project.
  mayRefuse(page, 'getSubscription')
  const guest = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'pro', admin: guest, screen: 'transferOwnership' })
  await page.getByRole('checkbox', { name: 'Leave Visa •••• 4242 on this project' }).check()
  await shows(page, /^Visa ••••\s4242 stays and is charged, next on/)
  await page.getByRole('radio', { name: 'Bob Baker' }).check()
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  await shows(page, 'Visa •••• 4242 is charged until Bob Baker adds a card of their own.')
  await confirm(page, 'Transfer ownership: Bob Baker', 'Transfer ownership')
  await expect(page).toHaveURL(/\/billing$/)

  await guest.goto(`/subscription/${id}/billing/payment-methods`)
  await expect(cardEndingIn(guest, '4242')).toContainText('Added by Ann Archer')

  await ask(page, 'leaveSubscription', { subscriptionId: id })
  await page.goto('/profile')
  const cards = page.getByRole('list', { name: 'Your cards' })
  await shows(cards, 'Pays for Bridge renewal')
  await expect(cards.getByRole('link')).toHaveCount(0)
  await cards.getByRole('button', { name: 'Remove Visa •••• 4242 from Bridge renewal' }).click()
  await shows(page, 'The owner gets an email and has to add another card.')
  await confirm(page, 'Remove card: Visa •••• 4242', 'Remove')
  await shows(page, 'Visa •••• 4242 is removed from Bridge renewal.')
  await expect(cards).toBeFocused()
  await expect(cards).toContainText("You haven't added a card to any project.")
  const bob = await addressOf(guest)
  await expect.poll(() => newestMail(page, bob)).toMatch(/^Add a card for Bridge renewal before/)
  await shows(guest, 'No card yet')
})
