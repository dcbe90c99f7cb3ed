import { projectPath } from '#contract/paths.ts'
import { readFile } from 'node:fs/promises'
import { fillCard } from './people.ts'
import { addressOf, annsProject, aProject, ask } from './projects.ts'
import { changeAnswers, expect, shows, test } from './visitor.ts'

test('the payer of an earlier project pays for another one, if its owner chooses so', async ({
  page,
}) => {
  await annsProject(page, { plan: 'pro' })
  await page.goto('/create-plan?plan=pro')
  await expect(page.getByLabel('Address line 1')).toHaveValue('')
  await page.getByLabel('Billing details').selectOption('As for Bridge renewal')
  await expect(page.getByLabel('Address line 1')).toHaveValue('1 Main Street')
  await expect(page.getByLabel('Phone')).toHaveValue('+1 217 555 0100')
  await fillCard(page, '4242424242424242')
  await page.getByRole('button', { name: /^Pay \$10\.00/ }).click()
  await shows(page, '$10.00 paid with Visa •••• 4242')
})

test('a buyer without a project types in who pays', async ({ page }) => {
  await annsProject(page)
  await page.goto('/create-plan?plan=pro')
  await expect(page.getByLabel('Address line 1')).toBeVisible()
  await expect(page.getByLabel('Billing details')).toHaveCount(0)
})

test('a year of invoices is downloaded as CSV', async ({ page }) => {
  const id = await annsProject(page, { plan: 'pro' })
  await page.goto(projectPath('billing', id))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download the invoices of \d{4} as CSV$/ }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^bridge-renewal-invoices-\d{4}-\d{4}-\d\d-\d\d\.csv$/)
  const [heads, row] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(heads).toContain('"number","created","status","currency","total","paid","refunded","url"')
  expect(row).toMatch(/"paid","USD","10\.00","10\.00","0\.00","http/)
})

test('an owner reads what their projects cost together', async ({ page }) => {
  await annsProject(page, { plan: 'pro' })
  await aProject(page, { plan: 'enterprise', name: 'Harbour' })
  await aProject(page, { name: 'Tunnel' })
  await page.goto('/profile')
  const card = page.locator('section').filter({ hasText: 'What your projects cost' })
  await expect(card.getByRole('listitem')).toHaveText([
    /Harbour.*\$30\.00 per week/,
    /Bridge renewal.*\$10\.00 per week/,
    /Altogether.*\$40\.00 per week/,
  ])
  await changeAnswers(page, 'listSubscriptions', ({ subscriptions }) => {
    for (const project of subscriptions) if (project.plan_id === 'pro') project.payment = 'past_due'
  })
  await page.reload()
  await shows(card.getByRole('listitem').filter({ hasText: 'Bridge renewal' }), 'Overdue')
})

test('a canceled project starts again with its name and its people', async ({ page, another }) => {
  const bob = await another('Bob Baker')
  const id = await annsProject(page, { member: bob })
  await ask(page, 'cancelSubscription', { subscriptionId: id, confirmationId: id })
  const again = page.getByRole('link', { name: 'Start again with these people' })
  await page.goto(projectPath('billing', id))
  await again.click()
  await shows(
    page,
    /^This starts Bridge renewal again as a new project\. Invitations for its people/,
  )
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await shows(page, /^This starts Bridge renewal again/)
  await page.goto(projectPath('subscription', id))
  await again.click()
  await page.getByRole('button', { name: 'Choose Free' }).click()
  await expect(page.getByLabel('People')).toHaveValue(`Bob Baker <${await addressOf(bob)}>`)
  await expect(page.getByLabel('Project Name')).toHaveValue('Bridge renewal')
  await expect(page.getByText('Your project is ready')).toHaveCount(1)
  await page.getByRole('button', { name: 'Send 1 invitation' }).click()
  await shows(page, '1 invitation is on its way.')

  await bob.goto(projectPath('subscription', id))
  await expect(bob.getByRole('heading', { level: 1 })).toHaveText('Bridge renewal')
  await expect(bob.getByRole('link', { name: 'Start again' })).toHaveCount(0)
})

test('a canceled project is put out of sight, and found again', async ({ page }) => {
  const id = await annsProject(page)
  await aProject(page, { name: 'Harbour' })
  await ask(page, 'cancelSubscription', { subscriptionId: id, confirmationId: id })
  await page.goto('/dashboard')
  await page.getByText('1 canceled project').click()
  const canceled = page.getByRole('listitem').filter({ hasText: 'Bridge renewal' })
  await canceled.getByRole('button', { name: 'Hide' }).click()
  await expect(canceled).toHaveCount(0)
  await page.getByRole('button', { name: 'Show 1 hidden project' }).click()
  await canceled.getByRole('button', { name: 'Show again' }).click()
  await expect(canceled.getByRole('button', { name: 'Hide' })).toBeVisible()
})
