import { projectPath } from '#contract/paths.ts'
import {
  confirm,
  mailedLink,
  newAddress,
  newestMail,
  password,
  signedInAs,
  submit,
} from './people.ts'
import { annsProject } from './projects.ts'
import { aPhone, expect, mayRefuse, shows, test } from './visitor.ts'

test('somebody with a phone joins by the link: signs up, verifies the address, and is in', async ({
  page,
  another,
}) => {
  const id = await annsProject(page)
  await page.goto(projectPath('invite', id))
  await page.getByRole('button', { name: 'Make a join link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a join link' })
  await expect(dialog.getByRole('checkbox', { name: 'Administrator' })).toHaveCount(0)
  await dialog.getByLabel('How many people may join').fill('1')
  await dialog.getByRole('button', { name: 'Make a join link' }).click()
  await shows(page, 'The join link is ready.', '1 more person can join.')
  await expect(page.getByRole('img', { name: 'QR code with the join link' })).toBeVisible()
  const link = (await page.getByText(/\/join\?code=/).textContent())!

  const phone = await another(undefined, aPhone)
  await phone.goto(link)
  await expect(phone).toHaveURL(/\/join$/)
  await shows(phone, 'Ann Archer invites you to join Bridge renewal')
  await phone.getByRole('link', { name: 'Create account' }).click()
  const email = newAddress('bob')
  await submit(phone, 'Create account', {
    'Full name': 'Bob Baker',
    Email: email,
    Password: password,
  })
  await shows(phone, `Verify ${email} first. Then you can join here.`)
  // The mail opens another tab, which has nothing of this one's history.
  const tab = await phone.context().newPage()
  await tab.goto(await mailedLink(phone, email))
  await tab.getByRole('button', { name: 'Join project' }).click()
  await shows(tab, 'You are now a member of Bridge renewal.')
  await expect(tab).toHaveURL(new RegExp(`${projectPath('subscription', id)}$`))

  await shows(page, 'Used up')
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await confirm(page, 'Revoke the join link?', 'Revoke link')
  await expect(page.getByRole('button', { name: 'Make a join link' })).toBeVisible()
  mayRefuse(phone, 'checkJoinLink')
  await phone.goto(link)
  await shows(phone, "This link doesn't work any more.")
})

test('whoever meets a closed door asks to join, and an administrator lets them in', async ({
  page,
  another,
}) => {
  const id = await annsProject(page)
  await page.goto(projectPath('users', id))
  const guest = await another()
  const email = await signedInAs(guest, 'Bob Baker')
  mayRefuse(guest, 'getSubscription')
  await guest.goto(projectPath('subscription', id))
  await guest.getByRole('button', { name: 'Ask to join' }).click()
  await shows(guest, `You've asked to join. If an administrator lets you in, we'll email ${email}.`)

  await page.getByRole('button', { name: 'Accept Bob Baker' }).click()
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Editor' }).check()
  await confirm(page, 'Let Bob Baker in?', 'Accept')
  await shows(page, 'Bob Baker is in the project now.')
  await expect(page.getByRole('heading', { name: 'Requests to join' })).toHaveCount(0)
  await expect.poll(() => newestMail(guest, email)).toBe("You're now in Bridge renewal")
  await guest.reload()
  await expect(guest.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
})

test('an administrator declines a request, and who asked sees the same as before', async ({
  page,
  another,
}) => {
  const id = await annsProject(page)
  const guest = await another()
  await signedInAs(guest, 'Bob Baker')
  mayRefuse(guest, 'getSubscription')
  await guest.goto(projectPath('subscription', id))
  await guest.getByRole('button', { name: 'Ask to join' }).click()
  await shows(guest, "You've asked to join.")
  await page.goto(projectPath('users', id))
  await page.getByRole('button', { name: 'Decline Bob Baker' }).click()
  await confirm(page, "Decline Bob Baker's request?", 'Decline')
  await shows(page, 'The request is declined.')
  await guest.reload()
  await shows(guest, "You've asked to join.")
  await expect(guest.getByRole('button', { name: 'Ask to join' })).toHaveCount(0)
  await guest.goto('/dashboard')
  await guest.goto(projectPath('subscription', id))
  await guest.getByRole('button', { name: 'Ask to join' }).click()
  await shows(guest, "You've asked to join.")
  await page.reload()
  await expect(page.getByRole('button', { name: 'Decline Bob Baker' })).toHaveCount(0)
})
