import { expect, test } from './visitor.ts'
import { fill, newAddress, password, signedInAs, signInHere } from './people.ts'

test('a visitor who signs in returns to the address they had opened', async ({ page }) => {
  const address = await signedInAs(page, 'Ann Archer')
  await page.context().clearCookies()
  await page.goto('/create-plan?plan=pro')
  await expect(page).toHaveURL(/\/signin\?/)
  await signInHere(page, address)
  await expect(page).toHaveURL(/\/create-plan\?plan=pro$/)
})

for (const elsewhere of [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
])
  test(`after a sign-in the app does not lead to ${elsewhere}`, async ({ page, baseURL }) => {
    await page.goto(`/signup?next=${encodeURIComponent(elsewhere)}`)
    await fill(page, { 'Full name': 'Ann Archer', Email: newAddress('ann'), Password: password })
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(new URL(baseURL!).origin)
  })
