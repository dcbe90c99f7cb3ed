import type { APIRequestContext, Page } from '@playwright/test'
import { newAddress } from './visitor.ts'

export const password = 'a good secret'
export const otherPassword = 'another good secret'

/** An account that is there and verified, and the page signed in with it. */
export async function signedInAs(page: Page, name: string) {
  const address = newAddress(name.toLowerCase().split(' ')[0]!)
  await call(page.request, 'signUp', { fullName: name, email: address, password })
  const mails = (await (await page.request.get(`/dev/mail.json?to=${address}`)).json()) as {
    links: string[]
  }[]
  const oobCode = new URL(mails[0]!.links[0]!).searchParams.get('oobCode')
  await call(page.request, 'applyActionCode', { oobCode })
  return address
}

export async function signIn(page: Page, address: string, secret = password) {
  await page.goto('/signin')
  await signInHere(page, address, secret)
}

/** On the sign-in screen. */
export async function signInHere(page: Page, address: string, secret = password) {
  await page.getByLabel('E-mail', { exact: true }).fill(address)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** On the screen that asks for a new password. */
export async function changePassword(page: Page, secret = otherPassword) {
  await page.getByLabel('New password', { exact: true }).fill(secret)
  await page.getByLabel('Confirm new password').fill(secret)
  await page.getByRole('button', { name: 'Save password' }).click()
}

export async function call(
  request: APIRequestContext,
  name: string,
  data: object,
  token?: string,
): Promise<unknown> {
  const answer = await request.post(`/api/${name}`, {
    data: { data },
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  if (!answer.ok()) throw new Error(`${name}: ${await answer.text()}`)
  return ((await answer.json()) as { result: unknown }).result
}

export const billing = {
  'Full name': 'Ann Archer',
  'Address line 1': '1 Main Street',
  City: 'Springfield',
  'State or province': 'IL',
  'Postal code': '62701',
  Phone: '+1 217 555 0100',
}

export async function fillCheckout(page: Page, card: string) {
  for (const [label, value] of Object.entries({
    ...billing,
    'Expiry date (MM/YY)': '12/34',
    'Security code': '123',
  }))
    await page.getByLabel(label).fill(value)
  await page.getByLabel('Card number').fill(card)
}
