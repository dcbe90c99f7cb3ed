import { projectPath } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { findFaults } from './check-screen.ts'
import { annsProject, aProject, ask, invites, joins, renames } from './projects.ts'
import { newAddress, signedInAs, signedUpAs } from './people.ts'
import {
  answered,
  changeAnswers,
  changeProject,
  expect,
  hold,
  refuseNext,
  shows,
  test,
} from './visitor.ts'

/** A card of the project's home, or a project's card in the list. */
const card = (page: Page, title: string) =>
  page.locator('main section').filter({ has: page.getByRole('heading', { name: title }) })
const listed = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

/** Shows a payment of the project as missing, on its home and in the list. */
async function missesPayment(page: Page, id: string, payment: 'past_due' | 'action_required') {
  await changeProject(page, (subscription) => {
    if (subscription.id === id) subscription.payment = payment
  })
  await changeAnswers(page, 'listSubscriptions', ({ subscriptions }) => {
    for (const subscription of subscriptions)
      if (subscription.id === id) subscription.payment = payment
  })
}

test('an owner finds plan, next payment, people and the latest activity', async ({
  page,
  another,
}) => {
  const admin = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'pro', admin, member: await another('Eve Engel') })
  await invites(page, id, newAddress('kim'))
  await page.goto(projectPath('subscription', id))
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await expect(page.locator('main').getByText(id)).toBeVisible()
  await shows(
    card(page, 'Plan'),
    '$10.00 per week',
    '4 of 20 seats, including 1 pending',
    '20 users included',
  )
  await shows(card(page, 'Next payment'), '$10.00', /^on \w+ \d+, \d{4}$/, 'Visa •••• 4242')
  await shows(
    card(page, 'People'),
    '3 people, 1 pending',
    'You own this project. Bob Baker administers it with you.',
  )
  const activity = card(page, 'Latest activity').getByRole('listitem')
  await expect(activity).toHaveCount(5)
  await expect(activity.first()).toContainText('Ann Archer')
  await expect(activity.first().locator('time')).toHaveAttribute('title', /\d:\d\d/)
  await expect(card(page, 'Get started')).toHaveCount(0)
  for (const [link, path] of [
    ['Change plan', 'billing/change-plan'],
    ['Billing', 'billing'],
    ['See everyone', 'users'],
    ['Invite people', 'users/invite'],
    ['Show all', 'activity'],
  ] as const)
    await expect(
      page.getByRole('main').getByRole('link', { name: link, exact: true }),
    ).toHaveAttribute('href', `/subscription/${id}/${path}`)

  await admin.goto(projectPath('subscription', id))
  const renews = /^per week, renews on \w+ \d+, \d{4}$/
  await shows(card(admin, 'Next payment'), '$10.00', renews, 'Ann Archer, the owner, pays')
  await shows(card(admin, 'People'), 'Ann Archer owns this project. You administer it.')
  await expect(card(admin, 'Latest activity').getByRole('listitem')).toHaveCount(5)
  await expect(admin.getByRole('link', { name: 'Change plan' })).toHaveCount(0)
})

test('the home asks no more for what it was refused, and shows the price without it', async ({
  page,
}) => {
  const id = await annsProject(page, { plan: 'pro' })
  await refuseNext(page, 'getBillingDetails', 'auth/too-many-requests', Infinity)
  let asked = 0
  page.on('request', (request) => void (asked += Number(request.url().includes('BillingDetails'))))
  await page.goto(projectPath('subscription', id))
  await shows(card(page, 'Next payment'), '$10.00', 'Visa •••• 4242')
  await expect(card(page, 'Latest activity').getByRole('listitem')).not.toHaveCount(0)
  await page.goto(projectPath('billing', id))
  await shows(page, 'Next payment', 'Visa •••• 4242')
  // Each screen asks once, and again when its live stream is open.
  expect(asked).toBeLessThan(6)
})

test('a member reads who runs the project, and nothing of the billing', async ({
  page,
  another,
}) => {
  const guest = await another('Eve Engel')
  const id = await annsProject(page, {
    plan: 'pro',
    admin: await another('Bob Baker'),
    member: guest,
  })
  await joins(await another('Mia Moser'), page, id)
  await guest.goto(projectPath('subscription', id))
  await shows(
    card(guest, 'People'),
    '4 people',
    "Ann Archer owns this project. Bob Baker administers it. You're a member.",
  )
  await expect(guest.getByRole('button', { name: 'Leave project' })).toBeVisible()
  for (const title of ['Next payment', 'Latest activity', 'Get started'])
    await expect(card(guest, title)).toHaveCount(0)
  await expect(card(guest, 'Plan').getByText('seats')).toHaveCount(0)
  await guest.goto('/dashboard')
  await shows(listed(guest, 'Bridge renewal'), 'Member · Pro', 'Owned by Ann Archer')
})

test('the first steps are ticked as they are done, and the first to join is greeted', async ({
  page,
  another,
}) => {
  await signedInAs(page, 'Ann Archer')
  const { subscriptionId: id } = await ask(page, 'createSubscription', { planId: 'free' })
  await page.goto(projectPath('subscription', id))
  const steps = card(page, 'Get started')
  await expect(page.getByRole('heading', { name: 'Untitled Project' })).toBeVisible()
  await expect(steps.getByRole('listitem')).toHaveText(['Name your project', 'Invite your team'])
  await shows(card(page, 'Next payment'), 'Nothing to pay', /^This project is free\. Pro has room/)
  const toPlans = page.getByRole('main').getByRole('link', { name: /plan/ })
  await expect(toPlans).toHaveText(['Compare plans'])
  await renames(page, id, 'Bridge renewal')
  await expect(steps.getByRole('listitem').first()).toContainText('Done')
  await expect(steps.getByRole('link')).toHaveText(['Invite your team'])
  await steps.getByRole('button', { name: 'Hide' }).click()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(card(page, 'Latest activity').getByRole('listitem')).toHaveCount(2)
  await expect(steps).toHaveCount(0)

  const other = await aProject(page, { plan: 'pro', name: 'Harbour' })
  await page.goto(projectPath('subscription', other))
  await expect(steps.getByRole('listitem')).toHaveText([
    'Name your projectDone',
    'Invite your team',
    'Add billing detailsDone',
  ])
  await expect(page.locator('main section').first()).toContainText('Get started')
  await invites(page, other, newAddress('kim'))
  await expect(steps).toHaveCount(0)
  await page.goto(projectPath('users', other))
  await joins(await another('Bob Baker'), page, other)
  const greeting = page.getByText("Bob Baker has joined. Now you're a team.")
  await expect(greeting).toBeVisible()
  await page.goto(projectPath('subscription', other))
  await shows(card(page, 'People'), '2 people, 1 pending')
  await expect(greeting).toHaveCount(0)
})

test('on a tablet the facts of a project fill two columns', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro', screen: 'subscription' })
  for (const isOverdue of [false, true]) {
    if (isOverdue) {
      await missesPayment(page, id, 'past_due')
      await page.reload()
    }
    const title = isOverdue ? 'Payment overdue' : 'Next payment'
    await expect(card(page, title)).toBeVisible()
    for (const width of [600, 768, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      const boxes = await page.locator('main section').evaluateAll(boxesByTitle)
      const [plan, payment, people] = ['Plan', title, 'People'].map((title) => boxes[title]!)
      expect([people!.y, people!.height], `${width} px`).toEqual([payment!.y, payment!.height])
      expect([plan!.x, plan!.width]).toEqual([payment!.x, people!.x + people!.width - payment!.x])
    }
  }
})

/** The places of all cards at one moment, because they may still grow. Runs in the page. */
function boxesByTitle(cards: Element[]) {
  return Object.fromEntries(
    cards.map((card) => {
      const { x, y, width, height } = card.getBoundingClientRect()
      return [card.querySelector('h2')!.textContent, { x, y, width, height }]
    }),
  )
}

test('a project whose payment is overdue says so, and leads to where it can be paid', async ({
  page,
  another,
}) => {
  const admin = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'pro', admin })
  await missesPayment(page, id, 'past_due')
  await missesPayment(admin, id, 'action_required')
  await page.goto(projectPath('subscription', id))
  await shows(card(page, 'Payment overdue'), 'The card was declined')
  await expect(page.locator('main section').first()).toContainText('Payment overdue')
  await expect(page.getByRole('main').getByText(/overdue/i)).toHaveText([
    'Overdue',
    'Payment overdue',
  ])
  await card(page, 'Payment overdue').getByRole('link', { name: 'Pay now' }).click()
  await expect(page).toHaveURL(new RegExp(`/subscription/${id}/billing$`))
  await page.goto('/dashboard')
  await shows(listed(page, 'Bridge renewal'), 'Overdue')
  await expect(listed(page, 'Bridge renewal')).not.toContainText('Active')
  await listed(page, 'Bridge renewal').getByRole('link', { name: 'Pay now' }).click()
  await expect(page).toHaveURL(new RegExp(`/subscription/${id}/billing$`))
  await page.goto('/profile')
  await shows(card(page, 'Your cards').getByRole('listitem'), 'Default', 'Overdue')

  await admin.goto(projectPath('subscription', id))
  const bank = "The owner's bank wants them to confirm this payment."
  await shows(card(admin, 'Payment overdue'), bank, 'Only Ann Archer, the owner, can pay.')
  await expect(card(admin, 'Payment overdue').getByRole('link')).toHaveText(['Billing'])
  await admin.goto('/dashboard')
  await shows(listed(admin, 'Bridge renewal'), 'Unconfirmed')
})

test('a canceled project says so, and is folded away in the list', async ({ page, another }) => {
  const guest = await another('Eve Engel')
  const id = await annsProject(page, { plan: 'pro', member: guest })
  await aProject(page, { name: 'Harbour' })
  await ask(page, 'cancelSubscription', { subscriptionId: id, confirmationId: id })
  await page.goto(projectPath('subscription', id))
  await shows(
    page.getByRole('main'),
    /^Canceled on .+ by Ann Archer\.$/,
    /^Nothing more is charged\./,
  )
  await expect(card(page, 'Plan')).not.toContainText('$')
  for (const title of ['Next payment', 'Get started'])
    await expect(card(page, title)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Invite people' })).toHaveCount(0)
  await guest.goto(projectPath('subscription', id))
  await shows(guest.getByRole('main'), 'This project is canceled.', /^Nothing more is charged\./)

  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Bridge renewal' })).toBeHidden()
  await page.getByText('1 canceled project').click()
  await page.getByRole('link', { name: 'Bridge renewal' }).click()
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await page.goto('/dashboard?search=bridge')
  await expect(page.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
  await guest.goto('/dashboard')
  await expect(guest.getByRole('link', { name: 'Bridge renewal' })).toBeVisible()
})

test('the list of projects says what one is there, who is in it and what it costs', async ({
  page,
  another,
}) => {
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'pro', admin: bob })
  await page.goto('/dashboard')
  await shows(listed(page, 'Bridge renewal'), 'Owner · Pro', '$10.00 per week', id)
  await expect(page.getByRole('link', { name: /Create/ })).toHaveText(['Create project'])
  await bob.goto('/dashboard')
  await shows(listed(bob, 'Bridge renewal'), 'Administrator · Pro', '$10.00 per week')

  const newcomer = await another('Nora Novak')
  await newcomer.goto('/dashboard')
  await expect(newcomer.getByRole('link', { name: /Create/ })).toHaveText(['Create project'])
})

test('a time never breaks before AM or PM', async ({ page }) => {
  await signedUpAs(page, 'Ann Archer')
  await page.goto('/dashboard')
  const time = page.getByText(/^\d+:\d\d [AP]M$/)
  for (let width = 320; width <= 400; width += 4) {
    await page.setViewportSize({ width, height: 800 })
    expect(await time.evaluate((text) => text.getClientRects().length), `${width} px`).toBe(1)
  }
})

test('long names fit on every width', async ({ page, another }) => {
  test.slow()
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const admin = await another(`Bob ${long}`)
  const id = await annsProject(page, { plan: 'pro', admin, name: `${long} and twenty letter` })
  await ask(page, 'updateProfile', { displayName: `Ann ${long}` })
  await missesPayment(admin, id, 'past_due')
  for (const [guest, path] of [
    [page, projectPath('subscription', id)],
    [admin, projectPath('subscription', id)],
    [admin, '/dashboard'],
  ] as const) {
    await guest.goto(path)
    await expect(guest.getByRole('main').getByText(long).first()).toBeVisible()
    for (const width of [320, 360, 390, 600, 768, 800, 1024, 1280, 1920]) {
      await guest.setViewportSize({ width, height: 800 })
      expect(await guest.evaluate(findFaults), `${path} at ${width} px`).toEqual([])
    }
  }
})

test('nothing moves while the answers come one after another', async ({ page, another }) => {
  const id = await annsProject(page, { plan: 'pro', admin: await another('Bob Baker') })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const calls = ['getSubscriptionUsers', 'getBillingDetails', 'listActivity', 'getPaymentMethods']
    const release = new Map<string, () => void>()
    for (const call of calls) release.set(`**/api/${call}`, await hold(page, `**/api/${call}`))
    await page.goto(projectPath('subscription', id))
    await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
    await expect(page.locator('.animate-late').first()).toBeVisible()
    for (const [url, letGo] of release) await answered(page, url, letGo)
    await shows(card(page, 'Next payment'), 'Visa •••• 4242')
    await expect(page.locator('.animate-late')).toHaveCount(0)
    expect(await page.evaluate(layoutShift), `${width} px`).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})

/** How much has moved on the page since it was opened. Runs in the page. */
function layoutShift() {
  return new Promise<number>((resolve) => {
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        sum += (entry as PerformanceEntry & { value: number }).value
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 100)
  })
}
