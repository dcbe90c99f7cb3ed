import { paths, projectPath } from '#contract/paths.ts'
import type { Page, Route } from '@playwright/test'
import { bankFrame, billing, cardFrame, fillCheckout, grouped, openCheckout } from './people.ts'
import { annsProject, ask } from './projects.ts'
import {
  changeAnswers,
  expect,
  hold,
  mayRefuse,
  nextFrames,
  refuseNext,
  shows,
  test,
} from './visitor.ts'

const pay = (page: Page) =>
  page.getByRole('button', { name: 'Pay $10.00 and create project' }).click()

test('the form says why a card is refused, and accepts another card', async ({ page }) => {
  mayRefuse(page, 'createSubscription', 'payment_methods')
  await openCheckout(page)
  await fillCheckout(page, '')
  const number = cardFrame(page).getByLabel('Card number')
  for (const [card, words] of [
    ['4000000000000002', 'The card was declined'],
    ['4000000000009995', "doesn't have enough funds"],
    ['4000000000000069', 'has expired'],
    ['4000000000000341', 'The card was declined'],
  ] as const) {
    await number.fill(card)
    await pay(page)
    await expect(number).toHaveAccessibleDescription(new RegExp(words))
    await expect(number).toBeFocused()
    for (const [label, value] of Object.entries(billing))
      await expect(page.getByLabel(label)).toHaveValue(value)
    await expect(number).toHaveValue(grouped(card))
  }
  await number.fill('4242424242424242')
  await pay(page)
  await expect(page).toHaveURL(/\/settings$/)
})

test('the form shows the price beside its button and marks missing fields', async ({ page }) => {
  await openCheckout(page, 'enterprise')
  const button = page.getByRole('button', { name: 'Pay $30.00 and create project' })
  await expect(button).toBeEnabled()
  const summary = page.getByRole('region', { name: "What you'll pay" })
  await shows(summary, /^You pay \$30\.00 today, then \$30\.00 per week, next on \w+ \d+, \d{4}\.$/)
  await shows(summary, 'First payment for Enterprise', 'Renews automatically until you cancel.')
  await shows(summary, /is not refunded/)
  await page.setViewportSize({ width: 390, height: 844 })
  await shows(summary, 'Charged today')

  await expect(page.getByLabel('Full name')).toHaveValue('Ann Archer')
  await button.click()
  await expect(cardFrame(page).getByLabel('Card number')).toBeFocused()
  await expect(page.getByLabel('Address line 1')).toHaveAttribute('aria-invalid', 'true')
})

test('a press while the price is worked out waits, and pays what its button said', async ({
  page,
}) => {
  await openCheckout(page)
  await fillCheckout(page, '4242424242424242')
  const button = page.getByRole('button', { name: 'Pay $10.00 and create project' })
  await expect(button).toBeEnabled()
  const goOn = await hold(page, '**/api/previewSubscription')
  await page.getByLabel('ZIP code').fill('62702')
  await page.getByLabel('ZIP code').press('Enter')
  await expect(button).toHaveAttribute('aria-busy', 'true')
  goOn()
  await expect(page).toHaveURL(/\/settings$/)
})

test('a press while the price is worked out is forgotten if the price can’t be told', async ({
  page,
}) => {
  await openCheckout(page)
  await fillCheckout(page, '4242424242424242')
  await expect(page.getByRole('button', { name: 'Pay $10.00' })).toBeEnabled()
  await refuseNext(page, 'previewSubscription', 'paymentsUnavailable', Infinity)
  const goOn = await hold(page, '**/api/previewSubscription')
  await page.getByLabel('ZIP code').fill('62702')
  await page.getByRole('button', { name: 'Pay $10.00' }).click()
  goOn()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  const button = page.getByRole('button', { name: 'Create project' })
  await expect(button).toBeDisabled()
  await expect(button).not.toHaveAttribute('aria-busy')
})

test('a press while the price is worked out pays nothing if the price changes', async ({
  page,
}) => {
  await openCheckout(page)
  await fillCheckout(page, '4242424242424242')
  await expect(page.getByRole('button', { name: 'Pay $10.00' })).toBeEnabled()
  let asked = 0
  page.on('request', (request) => void (asked += Number(/createSub/.test(request.url()))))
  await changeAnswers(page, 'previewSubscription', ({ preview }) => void (preview.due = 1200))
  const goOn = await hold(page, '**/api/previewSubscription')
  await page.getByLabel('ZIP code').fill('62702')
  await page.getByRole('button', { name: 'Pay $10.00' }).click()
  goOn()
  const button = page.getByRole('button', { name: 'Pay $12.00 and create project' })
  await expect(button).not.toHaveAttribute('aria-busy')
  await nextFrames(page)
  expect(asked).toBe(0)
  await button.click()
  await expect(page).toHaveURL(/\/settings$/)
  expect(asked).toBe(1)
})

test('the form shows a price only when the payment provider is available', async ({ page }) => {
  const comeBack = await refuseNext(page, 'previewSubscription', 'paymentsUnavailable', Infinity)
  await openCheckout(page)
  await shows(page, "We can't work out the price right now")
  await expect(page.getByRole('button', { name: 'Create project' })).toBeDisabled()
  // The provider comes back at the click itself, because the form retries on its own.
  await page.exposeFunction('comeBack', comeBack)
  await page.evaluate(() =>
    addEventListener('click', () => (window as unknown as { comeBack: () => void }).comeBack(), {
      capture: true,
    }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Pay $10.00 and create project' })).toBeEnabled()
})

test('the form groups a card number, checks it before sending and follows the theme', async ({
  page,
}) => {
  await openCheckout(page)
  const number = cardFrame(page).getByLabel('Card number')
  const expiry = cardFrame(page).getByLabel('Expiry date')
  const code = cardFrame(page).getByLabel('Security code')
  await number.pressSequentially('378282246310005')
  await expect(number).toHaveValue('3782 822463 10005')
  await shows(cardFrame(page), 'American Express')
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
  await pay(page)
  await expect(number).toHaveAccessibleDescription(/Check the card number\./)
  await expect(number).toBeFocused()
  await expect(expiry).toHaveAccessibleDescription(/has expired/)
  await expect(code).toHaveAccessibleDescription(/security code is wrong/)
  await cardFrame(page).getByRole('button', { name: 'Use a test card' }).click()
  await expect(number).toHaveValue('4242 4242 4242 4242')
  await expect(expiry).toHaveValue('12 / 34')
  await expect(code).toHaveValue('123')
  for (const field of [number, expiry, code])
    await expect(field).not.toHaveAttribute('aria-invalid')

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(cardFrame(page).locator('html')).toHaveCSS('color-scheme', 'dark')
  await expect(number).toHaveValue('4242 4242 4242 4242')
})

test('after the buyer has left a card field, it says what is wrong with it', async ({ page }) => {
  await openCheckout(page)
  const number = cardFrame(page).getByLabel('Card number')
  await number.fill('4242424242424241')
  await expect(number).not.toHaveAttribute('aria-invalid')
  await page.getByLabel('City').focus()
  await expect(number).toHaveAccessibleDescription(/Check the card number\./)
  await number.fill('4242424242424242')
  await page.getByLabel('City').focus()
  await expect(number).not.toHaveAttribute('aria-invalid')
})

test('the fields of an address have the names and the order of the country, and keep what is typed', async ({
  page,
}) => {
  await openCheckout(page)
  await page.getByLabel('City').fill('Springfield')
  const order = async () =>
    page
      .locator('[name*="address."]')
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('name')!.split('.').at(-1)))
  const inOrder = ['country', 'line1', 'line2', 'city', 'state', 'postal_code']
  expect(await order()).toEqual(inOrder)
  await expect(page.getByLabel('ZIP code')).toBeVisible()
  await page.getByLabel('Country').selectOption('JP')
  await expect(page.getByLabel('Prefecture')).toBeVisible()
  expect(await order()).toEqual(['country', 'postal_code', 'state', 'city', 'line1', 'line2'])
  await page.getByLabel('Country').selectOption('DE')
  await expect(page.getByLabel('State or province (optional)')).toBeVisible()
  expect(await order()).toEqual(['country', 'line1', 'line2', 'postal_code', 'city', 'state'])
  await expect(page.getByLabel('City')).toHaveValue('Springfield')
})

test('on a phone the sum stays in view while the buyer fills in the fields', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openCheckout(page)
  const sum = page.getByText('$10.00 per week', { exact: true }).first()
  const phone = page.getByLabel('Phone')
  await phone.scrollIntoViewIfNeeded()
  await phone.focus()
  await expect(sum).toBeInViewport()
  // What has the focus is not behind it.
  await page.getByLabel('Full name').focus()
  const [above, field] = await Promise.all([
    sum.boundingBox(),
    page.getByLabel('Full name').boundingBox(),
  ])
  expect(field!.y).toBeGreaterThan(above!.y + above!.height)
})

test('a tax id is saved with the first payment; a wrong one is refused', async ({ page }) => {
  mayRefuse(page, 'createSubscription')
  await openCheckout(page)
  await fillCheckout(page, '4242424242424242')
  await page.getByRole('button', { name: 'Add tax ID' }).click()
  await page.getByLabel('Type of tax ID').selectOption('eu_vat')
  const value = page.getByRole('textbox', { name: /^Tax ID/ })
  await value.fill('nonsense')
  await pay(page)
  await expect(value).toHaveAttribute('aria-invalid', 'true')
  await expect(value).toBeFocused()
  await value.fill('DE123456789')
  await pay(page)
  await expect(page).toHaveURL(/\/settings$/)
  const subscriptionId = /subscription\/([^/]+)/.exec(page.url())![1]!
  const { tax_id } = await ask(page, 'getBillingDetails', { subscriptionId })
  expect(tax_id).toEqual({ type: 'eu_vat', value: 'DE123456789' })
})

test('a buyer comes to their projects while the bank processes a payment', async ({ page }) => {
  await page.route('**/api/createSubscription', (route) =>
    route.fulfill({ json: { result: { subscriptionId: 'x', processing: true } } }),
  )
  await openCheckout(page)
  await fillCheckout(page, '4242424242424242')
  await pay(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await shows(page, 'Your payment is being processed.')
})

test('a project exists only after the buyer has confirmed to the bank', async ({ page }) => {
  mayRefuse(page, 'completePayment')
  const bank = bankFrame(page)
  await openCheckout(page)
  await fillCheckout(page, '4000002500003155')
  await page.getByRole('button', { name: 'Create project' }).click()
  await bank.getByRole('button', { name: 'Fail authentication' }).click()
  await shows(cardFrame(page), "didn't confirm it was you")
  await expect(cardFrame(page).getByLabel('Card number')).toHaveValue(grouped('4000002500003155'))
  await page.getByRole('button', { name: 'Create project' }).click()
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(page).toHaveURL(/\/settings$/)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /'s project/ })).toHaveCount(1)
})

test('a payment whose answer is lost is made once, however its buyer goes on', async ({ page }) => {
  mayRefuse(page, 'createSubscription')
  const calls = '**/api/createSubscription'
  await openCheckout(page)
  await fillCheckout(page, '4242424242424242')

  // The request never arrives.
  await page.route(calls, (route) => route.abort('aborted'))
  await pay(page)
  await shows(page, 'finding out whether this was done')
  await page.reload()
  await shows(page, "Your earlier payment wasn't made. Nothing was charged.")

  // The answer is lost, and so are those of the further tries until the page is closed.
  await page.unroute(calls)
  let arrived = 0
  await page.route(calls, async (route) => {
    await route.fetch()
    arrived++
    await route.abort('aborted')
  })
  await fillCheckout(page, '4242424242424242')
  await pay(page)
  await expect.poll(() => arrived).toBeGreaterThan(0)
  await page.goto('/create-plan?plan=enterprise')
  await expect(page).toHaveURL(/\/settings$/)
  await shows(page, 'Your earlier payment went through')
  const first = page.url()

  // One answer is lost, and the page asks again by itself.
  await page.unroute(calls)
  await page.route(
    calls,
    async (route) => {
      await route.fetch()
      await route.abort('aborted')
    },
    { times: 1 },
  )
  await page.goto('/create-plan?plan=pro')
  await fillCheckout(page, '4242424242424242')
  await pay(page)
  await expect(page).toHaveURL(/\/settings$/)
  expect(page.url()).not.toBe(first)
  expect((await ask(page, 'listSubscriptions', {})).total).toBe(2)
})

test('while the card’s fields do not load, each form says so and goes on from there', async ({
  page,
}) => {
  const id = await annsProject(page)
  // A tab that `watch` leaves alone, because it logs the requests that fail.
  const tab = await page.context().newPage()
  for (const [path, request, fail] of [
    [`${paths.createPlan}?plan=pro`, '/sandbox/card', (route) => route.abort()],
    [
      `${projectPath('changePlan', id)}?plan=pro`,
      '/sandbox/card',
      (route) => route.fulfill({ status: 503, body: 'Try again later.' }),
    ],
    [
      `${projectPath('managePaymentMethods', id)}?add`,
      '/sandbox/assets/card.js',
      (route) => route.abort(),
    ],
  ] satisfies [string, string, (route: Route) => Promise<void>][]) {
    await tab.route(`**${request}`, fail)
    await tab.goto(path)
    await shows(tab, /^The fields for your card didn't load\. .* keeping out localhost/)
    await tab.unroute(`**${request}`)
    await tab.getByRole('button', { name: 'Try again' }).click()
    await expect(cardFrame(tab).getByLabel('Card number')).toBeVisible()
    await expect(tab.getByText("didn't load")).toHaveCount(0)
  }
})
