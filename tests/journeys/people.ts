import type { APIRequestContext, FrameLocator, Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'

type KeptMail = { subject: string; links: string[]; html: string }

let count = 0

export const password = 'a good secret'
export const otherPassword = 'another good secret'

export function newAddress(name: string) {
  return `${name}-${process.pid}-${count++}@example.com`
}

/** Makes a verified account, signs the page in to it and returns its address. */
export async function signedInAs(page: Page, name: string) {
  const address = await signedUpAs(page, name)
  await verify(page, address)
  return address
}

/** Makes an account without verifying its address, signs the page in and returns the address. */
export async function signedUpAs(page: Page, name: string) {
  const email = newAddress(name.toLowerCase().split(' ')[0]!)
  await call(page.request, 'signUp', { fullName: name, email, password })
  return email
}

/** Uses the verification link that was mailed to the address, signed in to the account. */
export async function verify(page: Page, address: string) {
  const links = (await mailsTo(page, address)).flatMap((mail) => mail.links)
  const link = new URL(links.find((link) => link.includes('mode=verifyEmail'))!)
  const oobCode = link.searchParams.get('oobCode')
  const { token } = (await call(page.request, 'refreshSession', {})) as { token: string }
  await call(page.request, 'applyActionCode', { oobCode }, token)
}

/** The mails to an address, the newest first. */
export async function mailsTo(page: Page, address: string) {
  const response = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(address)}`)
  return (await response.json()) as KeptMail[]
}

export async function newestMail(page: Page, address: string) {
  return (await mailsTo(page, address))[0]?.subject
}

/** The link in the newest mail. Mails about a sign-in don't count, since they come at any time. */
export async function mailedLink(page: Page, to: string) {
  const mails = await mailsTo(page, to)
  return mails.find(({ subject }) => !subject.startsWith('New sign-in'))!.links[0]!
}

/** Fills in the form on the screen or in a frame. */
export async function fill(where: Page | FrameLocator, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields))
    await where.getByLabel(label, { exact: true }).fill(value)
}

/** Fills in the form on the screen and presses its button. */
export async function submit(page: Page, button: string, fields: Record<string, string> = {}) {
  await fill(page, fields)
  await page.getByRole('button', { name: button, exact: true }).click()
}

/** Chooses an action for a person on the users screen. */
export async function chooseFor(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Confirms what a dialog asks. */
export function confirm(page: Page, dialog: string | RegExp, button: string) {
  const opened = page.getByRole('dialog', { name: dialog })
  return opened.getByRole('button', { name: button, exact: true }).click()
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
}

/** Fills in the form that deletes the account. */
export const confirmOwnId = async (page: Page, secret = password) =>
  fill(page, { Password: secret, 'Type your user ID to confirm': await userId(page) })

/** The user id, as the profile and the screen that deletes the account show it. */
export function userId(page: Page) {
  return page.locator('main .id-text').first().innerText()
}

export async function signIn(page: Page, address: string, secret = password) {
  await page.goto('/signin')
  await signInHere(page, address, secret)
}

/** Signs in on the sign-in screen. */
export async function signInHere(page: Page, address: string, secret = password) {
  await submit(page, 'Sign in', { Email: address, Password: secret })
}

/** Fills in the screen that asks for a new password. */
export async function changePassword(page: Page, secret = otherPassword) {
  await fill(page, { 'New password': secret, 'Confirm new password': secret })
  await page.getByRole('button', { name: /^Save (new )?password$/ }).click()
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

/** Presses a button that downloads a file, and returns the file's name and text. */
export async function download(page: Page, button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

export const billing = {
  'Full name': 'Ann Archer',
  'Address line 1': '1 Main Street',
  City: 'Springfield',
  State: 'IL',
  'ZIP code': '62701',
  Phone: '+1 217 555 0100',
}

/** Signs Ann up and opens the form that buys a project on a plan. */
export async function openCheckout(page: Page, plan = 'pro') {
  await signedInAs(page, 'Ann Archer')
  await page.goto(`/create-plan?plan=${plan}`)
}

export async function fillCheckout(page: Page, card?: string) {
  await fill(page, billing)
  if (card !== undefined) await fillCard(page, card)
}

/** The sandbox's page with the fields of a card. */
export function cardFrame(page: Page) {
  return page.frameLocator('iframe[src="/sandbox/card"]')
}

/** Fills in the fields of a card. */
export function fillCard(page: Page, number: string) {
  const rest = { 'Expiry date (MM/YY)': '12/34', 'Security code': '123' }
  return fill(cardFrame(page), { 'Card number': number, ...rest })
}

/** The page of the bank, in a dialog. */
export function bankFrame(page: Page) {
  return page.getByRole('dialog').frameLocator('iframe')
}

/** A card number as the app shows it, in groups of four. */
export function grouped(number: string) {
  return number.replace(/(?<=^(.{4})+)(?=.)/g, ' ')
}
