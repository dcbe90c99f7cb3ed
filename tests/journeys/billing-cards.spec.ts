import type { Page } from '@playwright/test'
import { billing, cardFields, fill, grouped, mailsTo, newAddress, signedInAs } from './people.ts'
import { addressOf, annsProject, aProject, ask, joins } from './projects.ts'
import { expect, expectPassing, hold, test } from './visitor.ts'

const asksOnce = '4000002500003155'

async function openCards(page: Page, id: string) {
  await page.goto(`/subscription/${id}/billing/payment-methods`)
  await page.getByRole('link', { name: 'Add card' }).click()
  await expect(page.getByLabel('Cardholder name')).toBeFocused()
}

async function saveCard(page: Page, number: string) {
  await fill(page, { 'Cardholder name': 'Ann Archer', ...cardFields(number) })
  await page.getByRole('button', { name: 'Save card' }).click()
}

function cardEndingIn(page: Page, last4: string) {
  return page.getByRole('listitem').filter({ hasText: last4 })
}

test('a card is added, made the default, and the other one deleted; the default of a paid plan stays', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await openCards(page, await aProject(page))
  const visa = cardEndingIn(page, '4242')
  const mastercard = cardEndingIn(page, '4444')
  await expect(visa).toContainText('Default')
  await expect(visa.getByRole('button', { name: 'Delete card' })).toBeDisabled()
  await expect(visa).toContainText('Make another card the default first.')

  await page.getByRole('checkbox', { name: 'Use this card for payments from now on' }).uncheck()
  await saveCard(page, '5555555555554444')
  await expect(page.getByText('The card is saved.')).toBeVisible()
  await expect(mastercard).not.toContainText('Default')
  await mastercard.getByRole('button', { name: 'Make default: Mastercard •••• 4444' }).click()
  await expect(
    page.getByText('Payments are made with Mastercard •••• 4444 from now on.'),
  ).toBeVisible()
  await expect(mastercard).toContainText('Default')

  await visa.getByRole('button', { name: 'Delete card Visa •••• 4242' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await visa.getByRole('button', { name: 'Delete card Visa •••• 4242' }).click()
  await page
    .getByRole('dialog', { name: 'Delete Visa •••• 4242?' })
    .getByRole('button', { name: 'Delete card' })
    .click()
  await expect(page.getByText('Visa •••• 4242 is deleted.')).toBeVisible()
  await expect(visa).toBeHidden()
  await expect(page.getByRole('region', { name: 'Payment methods' })).toBeFocused()
})

test.describe('cards that are not taken', () => {
  test.use({ expectedRefusals: ['setup_intents/seti', 'payment_methods'] })

  test('each says why, nothing typed is lost, and another card is taken', async ({ page }) => {
    const id = await annsProject(page, { plan: 'free' })
    await page.goto(`/subscription/${id}/billing/payment-methods`)
    await expect(page.getByText('A free project needs no card.')).toBeVisible()
    await openCards(page, id)
    await saveCard(page, '4000000000000002')
    await expect(
      page.getByText('The card was declined. Try another card, or ask your bank.'),
    ).toBeVisible()
    await expect(page.getByLabel('Cardholder name')).toHaveValue('Ann Archer')
    await expect(page.getByLabel('Card number')).toHaveValue('4000 0000 0000 0002')
    await saveCard(page, '4242424242424241')
    await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(/card number is wrong/)
    await saveCard(page, '4242424242424242')
    await expect(cardEndingIn(page, '4242')).toBeVisible()
    await expect(page.getByLabel('Cardholder name')).toBeHidden()
  })
})

test('the buyer tells a bank no, then gives it no answer, then tells it yes', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await openCards(page, await aProject(page))
  const bank = page.frameLocator('iframe')
  const save = page.getByRole('button', { name: 'Save card' })
  await saveCard(page, asksOnce)
  await bank.getByRole('button', { name: 'Fail authentication' }).click()
  await expect(page.getByText('did not confirm that it was you')).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveValue(grouped(asksOnce))

  await save.click()
  await expect(bank.getByRole('button', { name: 'Complete authentication' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('did not confirm that it was you')).toBeVisible()
  await expect(save).toBeFocused()

  await save.click()
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page.getByText('payments are made with it from now on')).toBeVisible()
  await expect(cardEndingIn(page, '3155')).toContainText('Default')
})

for (const [answer, words] of [
  ['Complete authentication', 'payments are made with it from now on'],
  ['Fail authentication', 'did not confirm that it was you'],
] as const)
  test(`a bank that asks on a page of its own is come back from: ${answer}`, async ({ page }) => {
    const id = await annsProject(page)
    await openCards(page, id)
    await saveCard(page, asksOnce)
    const question = await page.locator('iframe').getAttribute('src')
    await page.goto(question!)
    await page.getByRole('button', { name: answer }).click()
    await expect(page.getByText(words)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/subscription/${id}/billing/payment-methods$`))
  })

test.describe('billing details', () => {
  test.use({ expectedRefusals: ['updateBillingDetails'] })

  test('are saved and shown again, and a mistake in a tax ID shows at its field', async ({
    page,
  }) => {
    await signedInAs(page, 'Ann Archer')
    const here = `/subscription/${await aProject(page, { plan: 'free' })}/billing/update-details`
    const { 'Full name': _, ...address } = billing
    const typed = {
      ...address,
      'Billing name': 'Archer Bridges Ltd',
      'Address line 2': 'Second floor',
    }
    const taxId = page.getByRole('textbox', { name: 'Tax ID' })
    const line2 = page.getByLabel('Address line 2')
    const email = page.getByLabel('Send receipts and payment mails to')
    const receipts = page.getByRole('checkbox', {
      name: 'Send a receipt by e-mail for every payment',
    })
    const save = page.getByRole('button', { name: 'Save billing details' })

    await page.goto(here)
    await expect(page.getByLabel('Country')).toHaveValue('US')
    await save.click()
    await expect(page.getByLabel('Billing name')).toBeFocused()
    for (const [label, value] of Object.entries(typed)) await page.getByLabel(label).fill(value)
    await page.getByLabel('Country').selectOption('DE')
    await expect(page.getByLabel('Kind of tax ID')).toHaveValue('eu_vat')
    await taxId.fill('nonsense')
    await page.getByLabel('Phone').fill('12')
    await save.click()
    await expect(page.getByLabel('Phone')).toBeFocused()
    await expect(page.getByLabel('Phone')).toHaveAccessibleDescription(/^This is too short/)
    await page.getByLabel('Phone').fill(address.Phone)
    await email.fill('Books@Example.com')
    const wanted = !(await receipts.isChecked())
    await receipts.setChecked(wanted)
    await save.click()
    await expect(taxId).toBeFocused()
    await expect(taxId).toHaveAccessibleDescription(/doesn't fit its kind/)
    await taxId.fill('DE123456789')
    await expectPassing(page, 'Your billing details are saved', () => save.click())
    await expect(page).toHaveURL(/\/billing$/)

    await page.goto(here)
    for (const [label, value] of Object.entries(typed))
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
})

test('an invited administrator who has not joined can’t become the owner', async ({ page }) => {
  const id = await annsProject(page, { plan: 'free' })
  await ask(page, 'createInvite', {
    subscriptionId: id,
    email: newAddress('bob'),
    permissions: ['admin'],
  })
  await page.goto(`/subscription/${id}/billing/transfer-ownership`)
  await expect(
    page.getByText('No eligible admin users found to transfer ownership to'),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Go to users' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
})

test('the chosen administrator becomes the owner, both get a mail, and billing is the new owner’s', async ({
  page,
  another,
}) => {
  const ann = await signedInAs(page, 'Ann Archer')
  const id = await aProject(page)
  const guest = await another('Bob Baker')
  await joins(guest, page, id, ['admin'])
  const bob = await addressOf(guest)

  await page.goto(`/subscription/${id}/billing/transfer-ownership`)
  const transfer = page.getByRole('button', { name: 'Transfer ownership' })
  await transfer.click()
  await expect(page.getByText('Choose who becomes the owner.')).toBeVisible()
  await expect(
    page.getByText(
      /^All cards are removed from this project\. The new owner has to add one before/,
    ),
  ).toBeVisible()
  const keep = page.getByRole('checkbox', { name: 'Leave Visa •••• 4242 on this project' })
  await expect(keep).not.toBeChecked()
  await page.getByRole('radio', { name: 'Bob Baker' }).check()
  await transfer.click()
  const dialog = page.getByRole('dialog', { name: 'Make Bob Baker the owner?' })
  await expect(dialog).toContainText(bob)
  // It leads back when the page knows whose project it is now, however long that takes.
  const goOn = await hold(page, '**/api/getSubscription')
  await page.clock.install()
  await expectPassing(page, 'Bob Baker is the owner now.', () =>
    dialog.getByRole('button', { name: 'Make them the owner' }).click(),
  )
  await page.clock.fastForward(10_000)
  await expect(page).toHaveURL(/\/transfer-ownership$/)
  goOn()
  await expect(page).toHaveURL(/\/billing$/)
  await expect(page.getByText('Only the subscription owner can perform this action')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Change plan' })).toBeDisabled()
  await expect.poll(() => newestMail(page, ann)).toBe('Bob Baker now owns Bridge renewal')
  await expect.poll(() => newestMail(page, bob)).toBe('You now own Bridge renewal')

  await expect(page.getByText(/The owner has to add one before \w+ \d+, \d{4}\./)).toBeVisible()
  await guest.goto(`/subscription/${id}`)
  await expect(guest.getByText(/^Add a card before \w+ \d+, \d{4}\./)).toBeVisible()
  await guest.getByRole('link', { name: 'Add card' }).click()
  await expect(cardEndingIn(guest, '4242')).toBeHidden()
  await saveCard(guest, '5555555555554444')
  await expect(cardEndingIn(guest, '4444')).toContainText('Default')
  await guest.goto(`/subscription/${id}`)
  await expect(guest.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(guest.getByText(/^Add a card before/)).toBeHidden()
})

test('a card that a former owner left shows their name, and they remove it on their profile', async ({
  page,
  another,
}) => {
  const id = await annsProject(page)
  const guest = await another('Bob Baker')
  await joins(guest, page, id, ['admin'])
  const bob = await addressOf(guest)

  await page.goto(`/subscription/${id}/billing/transfer-ownership`)
  await page.getByRole('checkbox', { name: 'Leave Visa •••• 4242 on this project' }).check()
  await expect(page.getByText(/^Visa •••• 4242 stays and is charged, next on/)).toBeVisible()
  await page.getByRole('radio', { name: 'Bob Baker' }).check()
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make Bob Baker the owner?' })
  await expect(dialog).toContainText(
    'Visa •••• 4242 goes on being charged until Bob Baker adds a card of their own.',
  )
  await dialog.getByRole('button', { name: 'Make them the owner' }).click()
  await expect(page).toHaveURL(/\/billing$/)

  await guest.goto(`/subscription/${id}/billing/payment-methods`)
  await expect(cardEndingIn(guest, '4242')).toContainText('Added by Ann Archer')

  await ask(page, 'leaveSubscription', { subscriptionId: id })
  await page.goto('/profile')
  const cards = page.getByRole('list', { name: 'Your cards' })
  await expect(cards.getByText('Pays for Bridge renewal')).toBeVisible()
  await expect(cards.getByRole('link')).toHaveCount(0)
  await cards.getByRole('button', { name: 'Remove Visa •••• 4242 from Bridge renewal' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove Visa •••• 4242?' })
  await expect(removal).toContainText('Its owner gets a mail and has to add another card.')
  await removal.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Visa •••• 4242 is removed from Bridge renewal.')).toBeVisible()
  await expect(cards).toBeFocused()
  await expect(cards).toContainText("You haven't added a card to any project.")
  await expect.poll(() => newestMail(page, bob)).toMatch(/^Add a card for Bridge renewal before/)
  await expect(guest.getByText('No card yet')).toBeVisible()
})

async function newestMail(page: Page, to: string) {
  return (await mailsTo(page, to))[0]?.subject
}
