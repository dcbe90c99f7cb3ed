import { screenEntries } from '#contract/screens.ts'
import type { Locator, Page } from '@playwright/test'
import { matchPath } from 'react-router'
import {
  cardFrame,
  fillCheckout,
  mailedLink,
  mailsTo,
  newAddress,
  password,
  submit,
} from './people.ts'
import { expect, expectPassing, shows, test } from './visitor.ts'

// Ann's and Bob's calendars show another day than the invoice does.
test.use({
  timezoneId: new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati',
})

test('a team signs up, pays, invites a member and sees its invoices', async ({ page, another }) => {
  const ann = newAddress('ann')
  const bob = newAddress('bob')

  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/signin/)
  await page.getByRole('link', { name: 'Create account' }).click()
  await signUp(page, 'Ann Archer', ann)
  await expect(page.getByRole('heading', { name: 'Your projects' })).toBeVisible()

  await page.goto(await mailedLink(page, ann))
  await shows(page, 'Your email address is verified')

  await page.getByRole('link', { name: 'Create project' }).click()
  await page.getByRole('button', { name: 'Choose Free' }).click()
  await shows(page, 'Your project is ready.')
  await nameProject(page, 'Old ferry line')
  await expect(page.getByRole('heading', { name: 'Invite several people at once' })).toBeVisible()

  await page.getByRole('link', { name: 'Projects' }).click()
  await page.getByRole('link', { name: 'Create project' }).click()
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await page.getByLabel('Project Name').fill('Bridge renewal')
  await fillCheckout(page, '4242424242424242')
  const submit = page.getByRole('button', { name: 'Create project' })
  await submit.click({ clickCount: 3 })
  await shows(page, '$10.00 paid with Visa •••• 4242')
  await shows(
    page,
    /^Next payment: \$10\.00 on \w+ \d+, \d{4}\. The receipt is on its way by email\.$/,
  )
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('link', { name: 'Invite user' }).click()
  await page.getByLabel('Email', { exact: true }).fill(bob)
  await page.getByRole('checkbox', { name: 'Editor' }).check()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('row', { name: bob })).toContainText('Pending')

  await joinAs(await another(), page, bob)

  await page.reload()
  await expect(page.getByRole('row', { name: bob })).toContainText('Active')
  await page.getByRole('link', { name: 'Billing Information' }).click()
  const invoice = page.getByRole('row', { name: /\$10\.00/ })
  await expect(invoice).toContainText('Paid')
  const [hosted] = await Promise.all([
    page.waitForEvent('popup'),
    invoice.getByRole('link').first().click(),
  ])
  await expect(hosted.getByText('$10.00').first()).toBeVisible()
  const [date] = /\w+ \d+, \d{4}/.exec(await invoice.innerText())!
  await expect(hosted.getByText(date, { exact: true })).toBeVisible()
  await hosted.close()

  await page.getByRole('link', { name: 'Projects' }).click()
  await expect(page.getByRole('link', { name: /Bridge renewal|Old ferry line/ })).toHaveCount(2)
})

/** Bob opens the mailed link, signs up and joins the project. */
async function joinAs(page: Page, host: Page, address: string) {
  await page.goto(await mailedLink(host, address))
  await expect(page.getByText('Bridge renewal').first()).toBeVisible()
  await submit(page, 'Create account and join', { 'Full name': 'Bob Baker', Password: password })
  await expect(page.getByRole('heading', { name: 'Bridge renewal' })).toBeVisible()
  await shows(page, "Welcome to Bridge renewal. You're an editor")
  await expect(page.getByRole('link', { name: 'Billing Information' })).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /Bridge renewal/ })).toBeVisible()
}

async function signUp(page: Page, name: string, address: string) {
  await submit(page, 'Create account', { 'Full name': name, Email: address, Password: password })
}

async function nameProject(page: Page, name: string) {
  await page.getByLabel('Project Name').fill(name)
  await expectPassing(page, 'Changes saved successfully', 'Save and invite people')
}

test('a visitor gets to a paid project with two invited people in 8 clicks, 70 keys and 4 screens', async ({
  page,
}) => {
  const count = counting()
  const { click, type } = count
  // As long as a usual address, and of this run alone.
  const ann = `${Math.random().toString(36).slice(2, 6)}@acme.com`
  await page.goto('/pricing')
  await click(page.getByRole('link', { name: 'Choose Pro' }))

  await expect(page.getByLabel('Full name')).toBeFocused()
  await type(page, 'Ann Archer', 'Tab', ann, 'Tab', 'ferry42x')
  await click(page.getByRole('button', { name: 'Create account' }))

  await expect(page.getByLabel('Project Name')).toHaveValue("Ann Archer's project")
  await click(cardFrame(page).getByRole('button', { name: 'Use a test card' }))
  await click(page.getByLabel('Address line 1'))
  await type(page, '12 Elm St', 'Tab', 'Tab', 'Reno', 'Tab', 'NV', 'Tab', '89501', 'Tab')
  await type(page, '7755550100')
  await click(page.getByRole('button', { name: /^Pay \$10\.00/ }))

  await expect(page.getByLabel('People')).toBeFocused()
  await count.paste(page, `${newAddress('bob')}\n${newAddress('carla')}`)
  await shows(page, `We sent a link to ${ann}. Open it to verify your address.`)
  const tab = await page.context().newPage()
  const links = (await mailsTo(page, ann)).flatMap((mail) => mail.links)
  // The first click opens the mail, the second follows its link, in a mail program.
  count.clicks += 2
  await tab.goto(links.find((link) => link.includes('mode=verifyEmail'))!)

  await click(tab.getByRole('button', { name: 'Send 2 invitations' }))
  await shows(tab, '2 invitations are on their way.')

  const numbers = { clicks: count.clicks, keys: count.keys, screens: count.screens.size }
  test.info().annotations.push({ type: 'numbers', description: JSON.stringify(numbers) })
  console.log(numbers, ...count.screens)
  expect(numbers.clicks).toBeLessThanOrEqual(8)
  expect(numbers.keys).toBeLessThanOrEqual(70)
  expect(numbers.screens).toBeLessThanOrEqual(4)
})

/** Does what a person does, and counts it. */
function counting() {
  const count = {
    clicks: 0,
    keys: 0,
    /** The screens with something to do. The screen of the mailed link leads on by itself. */
    screens: new Set<string>(),
    click: async (target: Locator) => {
      count.clicks++
      await target.waitFor()
      const { pathname } = new URL(target.page().url())
      const screen = screenEntries.find(([, { path }]) => matchPath(path, pathname))
      count.screens.add(screen?.[0] ?? pathname)
      await target.click()
    },
    type: async (page: Page, ...texts: string[]) => {
      for (const text of texts) {
        count.keys += text === 'Tab' ? 1 : text.length
        await (text === 'Tab' ? page.keyboard.press(text) : page.keyboard.type(text))
      }
    },
    /** A paste takes two keys. */
    async paste(page: Page, text: string) {
      count.keys += 2
      await page.keyboard.insertText(text)
    },
  }
  return count
}
