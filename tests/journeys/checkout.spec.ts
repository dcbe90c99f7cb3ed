import { billing, fillCheckout, grouped, signedInAs } from './people.ts'
import { ask } from './projects.ts'
import { expect, test } from './visitor.ts'

const declines = [
  ['4000000000000002', 'The card was declined'],
  ['4000000000009995', "doesn't have enough funds"],
  ['4000000000000069', 'has expired'],
  ['4000000000000341', 'The card was declined'],
] as const

test.describe('cards that are refused', () => {
  test.use({ expectedRefusals: ['createSubscription', 'payment_methods'] })

  test('each says why by its number, nothing typed is lost, and another card is taken', async ({
    page,
  }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/create-plan?plan=pro')
    await fillCheckout(page, '')
    const number = page.getByLabel('Card number')
    for (const [card, words] of declines) {
      await number.fill(card)
      await page.getByRole('button', { name: 'Pay $10.00 and create project' }).click()
      await expect(number).toHaveAccessibleDescription(new RegExp(words))
      await expect(number).toBeFocused()
      for (const [label, value] of Object.entries(billing))
        await expect(page.getByLabel(label)).toHaveValue(value)
      await expect(number).toHaveValue(grouped(card))
    }
    await number.fill('4242424242424242')
    await page.getByRole('button', { name: 'Pay $10.00 and create project' }).click()
    await expect(page).toHaveURL(/\/settings$/)
  })
})

test('the price, the next payment and the way to end it stand beside the button with the sum', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/create-plan?plan=enterprise')
  await expect(page.getByRole('button', { name: 'Pay $30.00 and create project' })).toBeEnabled()
  const summary = page.getByRole('region', { name: 'What it costs' })
  await expect(summary.getByText('First week on Enterprise')).toBeVisible()
  await expect(
    summary.getByText(/^From then on \$30\.00 per week, next on \w+ \d+, \d{4}\.$/),
  ).toBeVisible()
  await expect(summary.getByText('Renews every week until you end it.')).toBeVisible()
  await expect(summary.getByText(/is not refunded/)).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(summary.getByText('To pay now')).toBeVisible()
})

test.describe('a provider that is away', () => {
  test.use({ expectedRefusals: ['previewSubscription'] })

  test('promises no sum, and says it when it is back', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    let isAway = true
    const error = { status: 'UNAVAILABLE', message: '', details: { reason: 'paymentsUnavailable' } }
    await page.route('**/api/previewSubscription', (route) =>
      isAway ? route.fulfill({ status: 503, json: { error } }) : route.continue(),
    )
    await page.goto('/create-plan?plan=pro')
    await expect(page.getByText("The price can't be worked out just now")).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create project' })).toBeDisabled()
    // Back in the moment of the click, since the form asks again by itself, too.
    await page.exposeFunction('comeBack', () => (isAway = false))
    await page.evaluate(() =>
      addEventListener('click', () => (window as unknown as { comeBack: () => void }).comeBack(), {
        capture: true,
      }),
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'Pay $10.00 and create project' })).toBeEnabled()
  })
})

test('a card is grouped as it is typed, names its brand, and is judged before it is sent', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/create-plan?plan=pro')
  const [number, expiry, code] = [
    page.getByLabel('Card number'),
    page.getByLabel('Expiry date'),
    page.getByLabel('Security code'),
  ]
  await number.pressSequentially('378282246310005')
  await expect(number).toHaveValue('3782 822463 10005')
  await expect(page.getByText('American Express')).toBeVisible()
  await expect(expiry).toBeFocused()
  await expiry.pressSequentially('1234')
  await expect(expiry).toHaveValue('12 / 34')
  await expect(code).toBeFocused()
  await expect(code).toHaveAccessibleDescription('4 digits on the front of the card.')

  await number.fill('4242424242424242')
  await number.press('Home')
  for (let steps = 0; steps < 5; steps++) await number.press('ArrowRight')
  await number.press('Backspace')
  await expect(number).toHaveValue('4244 2424 2424 242')
  expect(await number.evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(3)
  await expiry.fill('01/20')
  await code.fill('12')
  await page.getByRole('button', { name: 'Pay $10.00 and create project' }).click()
  await expect(number).toHaveAccessibleDescription(/card number is wrong/)
  await expect(number).toBeFocused()
  await expect(expiry).toHaveAccessibleDescription(/has expired/)
  await expect(code).toHaveAccessibleDescription(/security code is wrong/)
  await page.getByRole('button', { name: 'Fill in test card' }).click()
  await expect(number).toHaveValue('4242 4242 4242 4242')
  for (const field of [number, expiry, code])
    await expect(field).not.toHaveAttribute('aria-invalid')
})

test.describe('a tax id', () => {
  test.use({ expectedRefusals: ['createSubscription'] })

  test('can be given with the first payment, and a wrong one is named by its field', async ({
    page,
  }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/create-plan?plan=pro')
    await fillCheckout(page, '4242424242424242')
    await page.getByRole('button', { name: 'Add tax ID' }).click()
    await page.getByLabel('Kind of tax ID').selectOption('eu_vat')
    const value = page.getByRole('textbox', { name: /^Tax ID/ })
    await value.fill('nonsense')
    const pay = page.getByRole('button', { name: 'Pay $10.00 and create project' })
    await pay.click()
    await expect(value).toHaveAttribute('aria-invalid', 'true')
    await expect(value).toBeFocused()
    await value.fill('DE123456789')
    await pay.click()
    await expect(page).toHaveURL(/\/settings$/)
    const subscriptionId = /subscription\/([^/]+)/.exec(page.url())![1]!
    expect((await ask(page, 'getBillingDetails', { subscriptionId })).tax_id).toEqual({
      type: 'eu_vat',
      value: 'DE123456789',
    })
  })
})

test('a payment that the bank still works on leads to the projects, which say so', async ({
  page,
}) => {
  await signedInAs(page, 'Ann Archer')
  await page.route('**/api/createSubscription', (route) =>
    route.fulfill({ json: { result: { subscriptionId: 'x', processing: true } } }),
  )
  await page.goto('/create-plan?plan=pro')
  await fillCheckout(page, '4242424242424242')
  await page.getByRole('button', { name: 'Pay $10.00 and create project' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Your payment is being processed.')).toBeVisible()
})

test('fields that are missing are named before anything is sent', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/create-plan?plan=enterprise')
  await expect(page.getByLabel('Full name')).toHaveValue('Ann Archer')
  await page.getByRole('button', { name: 'Pay $30.00 and create project' }).click()
  await expect(page.getByLabel('Card number')).toBeFocused()
  await expect(page.getByLabel('Address line 1')).toHaveAttribute('aria-invalid', 'true')
})

test('the bank asks, and after a yes the project is there', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/create-plan?plan=pro')
  await fillCheckout(page, '4000002500003155')
  await page.getByRole('button', { name: 'Create project' }).click()
  const bank = page.frameLocator('iframe')
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /Untitled Project/ })).toHaveCount(1)
})

test.describe('a bank that says no', () => {
  test.use({ expectedRefusals: ['completePayment'] })

  test('gets a message, the form stays as it was, and no project is left', async ({ page }) => {
    await signedInAs(page, 'Ann Archer')
    await page.goto('/create-plan?plan=pro')
    await fillCheckout(page, '4000002500003155')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.frameLocator('iframe').getByRole('button', { name: 'Fail authentication' }).click()
    await expect(page.getByText('did not confirm that it was you')).toBeVisible()
    await expect(page.getByLabel('Card number')).toHaveValue(grouped('4000002500003155'))
    await page.goto('/dashboard')
    await expect(page.getByText('Start with a project')).toBeVisible()
  })
})
