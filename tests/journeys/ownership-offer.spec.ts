import { projectPath } from '#contract/paths.ts'
import { expectOpenToAll } from './check-screen.ts'
import { annsProject, ask } from './projects.ts'
import { aPhone, expect, mayRefuse, shows, test } from './visitor.ts'

test.use({ baseURL: process.env['SELLING_URL'], reducedMotion: 'reduce' })

test('an owner offers a project to an administrator, who accepts on a phone and adds a card', async ({
  page,
  another,
}) => {
  const admin = await another('Bob Baker', aPhone)
  const id = await annsProject(page, { plan: 'pro', admin, screen: 'transferOwnership' })
  await shows(page, 'What happens when they accept')
  await page.getByRole('radio', { name: /Bob Baker/ }).check()
  await page.getByRole('button', { name: 'Offer ownership' }).click()
  const dialog = page.getByRole('dialog', { name: 'Offer ownership: Bob Baker' })
  await expectOpenToAll(page)
  await dialog.getByRole('button', { name: 'Offer ownership' }).click()
  await shows(
    page,
    'Bob Baker has been asked. Until they accept, you own the project and pay for it.',
  )
  await expect(page).toHaveURL(projectPath('billing', id))
  await shows(page, /^You've offered this project to Bob Baker, who can accept until/)
  await expectOpenToAll(page)

  await admin.goto(projectPath('billing', id))
  await shows(admin, 'Ann Archer offers you this project')
  await shows(admin, /No card stays on it, so you add one of your own next\.$/)
  await expectOpenToAll(admin)
  mayRefuse(page, 'getPaymentMethods', 'getBillingDetails')
  await admin.getByRole('button', { name: 'Accept and add a card' }).click()
  await shows(admin, 'You now own this project')
  await expect(admin).toHaveURL(`${projectPath('managePaymentMethods', id)}?add`)
  await expect(page.getByText(/^You've offered this project/)).toHaveCount(0)
  await shows(page, 'Only the subscription owner can perform this action')
})

test('an offer of ownership is taken back by one side, and declined by the other', async ({
  page,
  another,
}) => {
  const admin = await another('Bob Baker')
  const id = await annsProject(page, { plan: 'pro', admin, screen: 'billing' })
  const { uid: newOwnerId } = (await ask(admin, 'refreshSession', {})).user
  const offer = () =>
    ask(page, 'transferSubscriptionOwnership', { subscriptionId: id, newOwnerId, keepCard: true })
  await offer()
  await admin.goto(projectPath('billing', id))
  await shows(admin, /The card that pays now stays until you add your own\.$/)
  await page.getByRole('button', { name: 'Take the offer back' }).click()
  await shows(page, 'The offer is taken back')
  await expect(admin.getByText('Ann Archer offers you this project')).toHaveCount(0)

  await offer()
  await admin.getByRole('button', { name: 'No, thanks' }).click()
  await shows(admin, "You've declined the offer")
  await expect(page.getByRole('button', { name: 'Take the offer back' })).toHaveCount(0)
})
