import { newAddress, signedUpAs, verify } from './people.ts'
import { ask } from './projects.ts'
import { expect, shows, test } from './visitor.ts'

test('people are listed before the address is verified, in every tab, and invited after it', async ({
  page,
  context,
}) => {
  const address = await signedUpAs(page, 'Ann Archer')
  const { subscriptionId } = await ask(page, 'createSubscription', {
    planId: 'free',
    name: 'Harbour',
  })
  const invite = `/subscription/${subscriptionId}/users/invite?several`
  await page.goto(invite)
  const list = `${newAddress('bob')}\n${newAddress('carla')}`
  await page.getByLabel('People').fill(list)
  await expect(page.getByRole('button', { name: 'Send 2 invitations' })).toBeDisabled()
  const { users } = await ask(page, 'getSubscriptionUsers', { subscriptionId })
  expect(users).toHaveLength(1)

  await verify(page, address)
  const tab = await context.newPage()
  await tab.goto(invite)
  await expect(tab.getByLabel('People')).toHaveValue(list)
  await tab.getByRole('button', { name: 'Send 2 invitations' }).click()
  await shows(tab, '2 invitations are on their way.')
  await tab.goto(invite)
  await expect(tab.getByLabel('People')).toHaveValue('')
})
