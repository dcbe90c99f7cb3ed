import type { Page } from '@playwright/test'
import { fill, newAddress, password, signedInAs, signInHere, submit } from './people.ts'
import { expect, hold, mayRefuse, refuseNext, shows, test } from './visitor.ts'

const emailOf = (page: Page) => page.getByLabel('Email', { exact: true })

test('a visitor sees plans and prices, signs up, and comes to the chosen plan’s checkout', async ({
  page,
}) => {
  await page.goto('/')
  await shows(page.getByRole('complementary'), 'Shared projects with team billing')
  await page.getByRole('link', { name: 'See plans and prices' }).click()
  await expect(page).toHaveTitle('Plans and prices · Pergola')
  await expect(page.getByRole('listitem').getByRole('heading')).toHaveText([
    'Free',
    'Pro',
    'Enterprise',
  ])
  await page.getByRole('link', { name: 'Choose Pro' }).click()
  await shows(page, 'You chose Pro, $10.00 per week.')
  await submit(page, 'Create account', {
    'Full name': 'Ann Archer',
    Email: newAddress('ann'),
    Password: password,
  })
  await expect(page).toHaveURL(/\/create-plan\?plan=pro$/)
  await expect(page.getByLabel('City')).toBeVisible()
})

test('a page shows that it loads until its script is here', async ({ page }) => {
  const letGo = await hold(page, /\.js$/)
  await page.goto('/signin', { waitUntil: 'commit' })
  const turning = page.locator('#root .animate-turn')
  await expect(turning).toBeVisible()
  letGo()
  await expect(emailOf(page)).toBeVisible()
  await expect(turning).toHaveCount(0)
})

test('a visitor who chose Free names their project next; an address alone creates nothing', async ({
  page,
}) => {
  let created = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/createSubscription')) created++
  })
  const naming = page.getByRole('heading', { name: 'Name your project' })
  const plans = page.getByRole('heading', { name: 'Choose a plan' })
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'Choose Free' }).click()
  await shows(page, 'You chose Free, $0.00 per week.')
  const address = newAddress('ann')
  const fields = { 'Full name': 'Ann Archer', Email: address, Password: password }
  await submit(page, 'Create account', fields)
  await expect(naming).toBeVisible()
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'Choose Free' }).click()
  await expect(naming).toBeVisible()
  expect(created).toBe(2)

  const toFree = '/create-plan?plan=free'
  const foreign = [toFree, '/create-plan?plan=gold', '/create-plan?plan=nonsense']
  for (const path of [...foreign, `/signup?next=${encodeURIComponent(toFree)}`]) {
    await page.goto(path)
    await expect(plans).toBeVisible()
    await expect(page).toHaveURL(/\/create-plan$/)
  }
  expect(created).toBe(2)
  await page.context().clearCookies()
  await page.goto(toFree)
  await signInHere(page, address)
  await expect(naming).toBeVisible()
  expect(created).toBe(3)
})

test('a signed-in person goes from a price straight to its checkout', async ({ page }) => {
  await signedInAs(page, 'Ann Archer')
  await page.goto('/pricing')
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Choose Enterprise' }).click()
  await expect(page).toHaveURL(/\/create-plan\?plan=enterprise$/)
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'Go to your projects' }).click()
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()
})

test('visitors find help, terms and support, and read what they agree to', async ({ page }) => {
  const leadsTo = (name: string, url: string) =>
    expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', url)
  await page.goto('/signup')
  await leadsTo('Help', 'https://example.com/help')
  await leadsTo('Terms', 'https://example.com/terms')
  await leadsTo('Privacy', 'https://example.com/privacy')
  await leadsTo('support@example.com', 'mailto:support@example.com')
  await shows(page, 'By creating an account, you agree to our terms and privacy policy.')
  await leadsTo('privacy policy', 'https://example.com/privacy')
})

test('an address typed once goes along to the other screens for visitors', async ({ page }) => {
  mayRefuse(page, 'signIn', 'signUp')
  const address = await signedInAs(page, 'Ann Archer')
  await page.context().clearCookies()
  await page.goto('/create-plan?plan=pro')
  await signInHere(page, address, 'not this one')
  await shows(page, 'Failed to sign in')
  await page.getByRole('link', { name: 'Reset your password' }).click()
  await expect(emailOf(page)).toHaveValue(address)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await shows(page, /on its way/)
  await expect(page.getByRole('button', { name: 'Send another link' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(emailOf(page)).toHaveValue(address)

  await page.getByRole('link', { name: 'Create account' }).click()
  await expect(emailOf(page)).toHaveValue(address)
  await submit(page, 'Create account', { 'Full name': 'Ann', Password: password })
  await shows(page, "There's already an account with this email address.")
  await page.getByRole('link', { name: 'Sign in instead' }).click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(emailOf(page)).toHaveValue(address)
  await submit(page, 'Sign in', { Password: password })
  await expect(page).toHaveURL(/\/create-plan\?plan=pro$/)
})

test('a person whose account is disabled reads where to write', async ({ page }) => {
  await refuseNext(page, 'signIn', 'auth/user-disabled')
  await page.goto('/signin')
  await signInHere(page, newAddress('ann'))
  await shows(
    page,
    'This account is disabled. Write to support@example.com to have it opened again.',
  )
  await expect(
    page.getByRole('main').getByRole('link', { name: 'support@example.com' }),
  ).toHaveAttribute('href', 'mailto:support@example.com')
})

test('a refused stranger gets to the reset mail with the address filled in', async ({ page }) => {
  mayRefuse(page, 'signIn')
  const details = { reason: 'auth/too-many-requests', retryAfter: 60, way: 'resetPassword' }
  const error = { status: 'RESOURCE_EXHAUSTED', message: '', details }
  await page.route('**/api/signIn', (route) => route.fulfill({ status: 429, json: { error } }))
  await page.goto('/signin')
  const address = newAddress('ann')
  await signInHere(page, address)
  await shows(page, /^Too many attempts\. Set a new password with a link/)
  await page.getByRole('link', { name: 'Reset your password' }).click()
  await expect(emailOf(page)).toHaveValue(address)
})

test('an expired link offers another one for the same address', async ({ page }) => {
  mayRefuse(page, 'checkActionCode')
  const details = { reason: 'auth/expired-action-code', email: 'ann@example.com' }
  const error = { status: 'FAILED_PRECONDITION', message: '', details }
  await page.route('**/api/checkActionCode', (route) =>
    route.fulfill({ status: 400, json: { error } }),
  )
  await page.goto('/auth/action?mode=resetPassword&oobCode=x')
  await shows(page, 'This link has expired. Ask for a new one.')
  await page.getByRole('link', { name: 'Send a new link' }).click()
  await expect(emailOf(page)).toHaveValue('ann@example.com')
})

for (const width of [390, 1280])
  test(`a refusal moves no field on a screen ${width} px wide`, async ({ page }) => {
    mayRefuse(page, 'signIn', 'signUp')
    await page.setViewportSize({ width, height: 800 })
    const expectStill = async (label: string, act: () => Promise<void>, says: string | RegExp) => {
      const field = page.getByLabel(label, { exact: true })
      const before = await field.boundingBox()
      await act()
      await shows(page, says)
      expect(await field.boundingBox()).toEqual(before)
    }
    const pressEnter = () => page.keyboard.press('Enter')

    await page.goto('/signin')
    await fill(page, { Email: newAddress('ann'), Password: 'not this one' })
    await expectStill('Password', pressEnter, 'Failed to sign in')
    await emailOf(page).fill('')
    await expectStill('Email', pressEnter, 'Enter an email address.')

    await page.goto('/signup')
    await fill(page, { 'Full name': 'Ann', Email: newAddress('ann'), Password: 'short' })
    await expectStill('Password', pressEnter, 'Use at least 6 characters.')
    await expect(page.getByText('At least 6 characters.', { exact: true })).toHaveCount(0)
    await fill(page, { Password: 'sunshine' })
    await expectStill('Password', pressEnter, /^This password is too easy to guess/)
  })

test('the server answers an unknown address with 404, and robots.txt says what search engines may read', async ({
  request,
}) => {
  for (const [path, status] of [
    ['/', 200],
    ['/signin', 200],
    ['/pricing', 200],
    ['/subscription/', 200],
    ['/subscription/x/users', 200],
    ['/nowhere', 404],
    ['/subscription/x/nothing', 404],
  ] as const)
    expect((await request.get(path)).status(), path).toBe(status)
  expect(await (await request.get('/robots.txt')).text()).toContain('Disallow: /api/')
  expect(await (await request.get('/signin')).text()).toContain(
    '<meta name="description" content="Shared projects with team billing"',
  )
})
