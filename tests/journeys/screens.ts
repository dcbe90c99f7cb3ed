import { paths, projectPath, type PathName, type ProjectPathName } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import type { Person, Stage } from './stage.ts'
import { expect } from './visitor.ts'

/** One look at a screen. */
export type Look = {
  state: string
  who: Person
  path: (stage: Stage) => string
  before?: (page: Page) => Promise<unknown>
  /** What is done there before it is looked at. */
  act?: (page: Page) => Promise<unknown>
  /** Only on a screen of this width. */
  width?: number
  /** Calls that are refused on the way. */
  refused?: string[]
}

/** Every path of the product, with what is to be seen there. A path without a look does not compile. */
export const screens: Record<PathName, [Look, ...Look[]]> = {
  home: [{ state: 'of a newcomer', who: 'newcomer', path: () => paths.home }],
  dashboard: [
    { state: 'empty', who: 'member', path: () => `${paths.dashboard}?search=nothing+like+it` },
    { state: 'full', who: 'owner', path: () => paths.dashboard },
    {
      state: 'with its account menu open',
      who: 'owner',
      path: () => paths.dashboard,
      act: openAccountMenu,
    },
    { state: 'with the palette open', who: 'owner', path: () => paths.dashboard, act: openPalette },
    {
      state: 'with its menu sheet open',
      who: 'owner',
      path: () => paths.dashboard,
      width: 390,
      act: press('Open menu'),
    },
  ],
  profile: [
    { state: 'of a newcomer', who: 'newcomer', path: () => paths.profile },
    { state: 'full', who: 'owner', path: () => paths.profile },
  ],
  editName: of('owner', paths.editName, [
    'with a mistake',
    async (page) => (await clear(page, 'Name'), await press('Save name')(page)),
  ]),
  editEmail: [
    { state: 'before the address is verified', who: 'newcomer', path: () => paths.editEmail },
    { state: 'form', who: 'owner', path: () => paths.editEmail },
  ],
  changePassword: of('owner', paths.changePassword, ['with mistakes', press('Save password')]),
  deleteAccount: [
    { state: 'of somebody who owns nothing', who: 'newcomer', path: () => paths.deleteAccount },
    { state: 'of an owner', who: 'owner', path: () => paths.deleteAccount },
    {
      state: 'asking to sign in again',
      who: 'member',
      path: () => paths.deleteAccount,
      act: askToSignInAgain,
      refused: ['deleteAccount'],
    },
  ],
  ownActivity: [
    { state: 'of a newcomer', who: 'newcomer', path: () => paths.ownActivity },
    { state: 'full', who: 'owner', path: () => paths.ownActivity },
  ],
  signIn: of(
    'visitor',
    paths.signIn,
    ['with mistakes', press('Sign in')],
    ['refused', refuseSignIn],
  ).map((look) => ({
    ...look,
    refused: ['signIn', 'refreshSession'],
  })) as [Look],
  signUp: of('visitor', paths.signUp, ['with mistakes', press('Create account')]),
  resetPassword: of('visitor', paths.resetPassword, ['sent', askForLink]),
  authAction: [
    { state: 'with a broken link', who: 'visitor', path: () => paths.authAction },
    {
      state: 'with a link that ended',
      who: 'visitor',
      path: () => `${paths.authAction}?mode=verifyEmail&oobCode=x`,
      refused: ['applyActionCode'],
    },
    {
      state: 'of a verified account',
      who: 'visitor',
      path: ({ link }) => link.verifiedEmail,
      refused: ['applyActionCode'],
    },
    {
      state: 'to delete the account of somebody else',
      who: 'visitor',
      path: ({ link }) => link.verifiedEmail,
      act: press("I didn't make this account"),
      refused: ['applyActionCode'],
    },
    {
      state: 'to choose a password',
      who: 'visitor',
      path: ({ link }) => link.resetPassword,
      act: press('Save new password'),
    },
    { state: 'to change the address', who: 'visitor', path: ({ link }) => link.changeEmail },
  ],
  invitation: [
    { state: 'without a code', who: 'visitor', path: () => paths.invitation },
    { state: 'of a visitor', who: 'visitor', path: ({ link }) => link.invitation },
    { state: 'of who is invited', who: 'owner', path: ({ link }) => link.ownInvitation },
    { state: 'of somebody else', who: 'member', path: ({ link }) => link.invitation },
  ],
  createPlan: [
    { state: 'plans', who: 'newcomer', path: () => paths.createPlan },
    {
      state: 'checkout with mistakes',
      who: 'newcomer',
      path: () => `${paths.createPlan}?plan=pro`,
      act: press(/and create project$/),
    },
  ],
  subscription: [
    { state: 'full', who: 'owner', path: inProject('subscription', 'full') },
    { state: 'with a payment overdue', who: 'owner', path: inProject('subscription', 'overdue') },
    {
      state: 'of a member who leaves',
      who: 'member',
      path: inProject('subscription', 'full'),
      act: press('Leave project'),
    },
  ],
  users: [
    { state: 'alone', who: 'starter', path: inProject('users', 'empty') },
    { state: 'full', who: 'owner', path: inProject('users', 'full') },
    { state: 'of a canceled project', who: 'owner', path: inProject('users', 'canceled') },
    {
      state: 'when nobody matches',
      who: 'owner',
      path: (stage) => `${inProject('users', 'full')(stage)}?search=${'x'.repeat(80)}`,
    },
    {
      state: 'with a menu open',
      who: 'owner',
      path: inProject('users', 'full'),
      act: openRowMenu('王小明'),
    },
    {
      state: 'editing permissions',
      who: 'owner',
      path: inProject('users', 'full'),
      act: row('王小明', 'Edit permissions'),
    },
    {
      state: 'removing',
      who: 'owner',
      path: inProject('users', 'full'),
      act: row('王小明', 'Remove from project'),
    },
    {
      state: 'revoking',
      who: 'admin',
      path: inProject('users', 'full'),
      act: row(/^Actions for Donau/, 'Revoke invitation'),
    },
  ],
  invite: [
    {
      state: 'one',
      who: 'starter',
      path: inProject('invite', 'empty'),
      act: press('Send invitation'),
    },
    {
      state: 'several',
      who: 'starter',
      path: (stage) => `${inProject('invite', 'empty')(stage)}?several`,
      act: pasteSeveral,
    },
    {
      state: 'results',
      who: 'owner',
      path: (stage) => `${inProject('invite', 'full')(stage)}?several`,
      act: inviteSeveral,
    },
    { state: 'of a canceled project', who: 'owner', path: inProject('invite', 'canceled') },
  ],
  settings: [
    { state: 'full', who: 'owner', path: inProject('settings', 'full') },
    {
      state: 'with a mistake',
      who: 'starter',
      path: inProject('settings', 'empty'),
      act: async (page) => (await clear(page, 'Project Name'), await press('Save settings')(page)),
    },
  ],
  activity: [
    { state: 'of a young project', who: 'starter', path: inProject('activity', 'empty') },
    { state: 'full', who: 'owner', path: inProject('activity', 'full') },
    {
      state: 'when nothing matches',
      who: 'owner',
      path: (stage) => `${inProject('activity', 'full')(stage)}?search=zebra`,
    },
  ],
  billing: [
    { state: 'without invoices', who: 'starter', path: inProject('billing', 'empty') },
    { state: 'full', who: 'owner', path: inProject('billing', 'full') },
    { state: 'of who may only look', who: 'admin', path: inProject('billing', 'full') },
    { state: 'overdue', who: 'owner', path: inProject('billing', 'overdue') },
    { state: 'canceled', who: 'owner', path: inProject('billing', 'canceled') },
  ],
  changePlan: [
    { state: 'plans', who: 'owner', path: inProject('changePlan', 'full') },
    {
      state: 'from free, with mistakes',
      who: 'starter',
      path: (stage) => `${inProject('changePlan', 'empty')(stage)}?plan=pro`,
      act: press(/and change to Pro$/),
    },
    {
      state: 'from one to another',
      who: 'owner',
      path: (stage) => `${inProject('changePlan', 'full')(stage)}?plan=enterprise`,
    },
    { state: 'of a canceled project', who: 'owner', path: inProject('changePlan', 'canceled') },
  ],
  cancelSubscription: [
    { state: 'form', who: 'owner', path: inProject('cancelSubscription', 'full') },
  ],
  managePaymentMethods: [
    { state: 'empty', who: 'starter', path: inProject('managePaymentMethods', 'empty') },
    { state: 'full', who: 'owner', path: inProject('managePaymentMethods', 'full') },
    {
      state: 'deleting',
      who: 'owner',
      path: inProject('managePaymentMethods', 'full'),
      act: press(/^Delete card Visa/),
    },
    {
      state: 'adding, with mistakes',
      who: 'owner',
      path: (stage) => `${inProject('managePaymentMethods', 'full')(stage)}?add`,
      act: press('Save card'),
    },
    {
      state: 'with the bank asking',
      who: 'starter',
      path: (stage) => `${inProject('managePaymentMethods', 'empty')(stage)}?add`,
      act: letBankAsk,
    },
  ],
  updateBillingDetails: [
    {
      state: 'empty, with mistakes',
      who: 'starter',
      path: inProject('updateBillingDetails', 'empty'),
      act: press('Save billing details'),
    },
    { state: 'full', who: 'owner', path: inProject('updateBillingDetails', 'full') },
  ],
  transferOwnership: [
    { state: 'to nobody', who: 'starter', path: inProject('transferOwnership', 'empty') },
    {
      state: 'without a choice',
      who: 'owner',
      path: inProject('transferOwnership', 'full'),
      act: press('Transfer ownership'),
    },
    {
      state: 'asking',
      who: 'owner',
      path: inProject('transferOwnership', 'full'),
      act: async (page) => (
        await page.getByRole('radio').check(),
        await press('Transfer ownership')(page)
      ),
    },
  ],
}

/** What is shown where there is no screen. */
export const beyond: Look[] = [
  {
    state: 'a project of others',
    who: 'member',
    path: inProject('users', 'empty'),
    refused: ['getSubscription'],
  },
  { state: 'an address that leads nowhere', who: 'visitor', path: () => '/nowhere' },
  {
    state: 'a server that does not answer',
    who: 'newcomer',
    path: () => `${paths.dashboard}?lost`,
    before: loseServer,
    refused: ['refreshSession'],
  },
]

function of(
  who: Person,
  path: string,
  ...acts: [string, (page: Page) => Promise<unknown>][]
): [Look, ...Look[]] {
  return [
    { state: 'form', who, path: () => path },
    ...acts.map(([state, act]) => ({ state, who, path: () => path, act })),
  ]
}

function inProject(name: ProjectPathName, which: keyof Stage['project']) {
  return ({ project }: Stage) => projectPath(name, project[which])
}

function press(name: string | RegExp) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).click()
}

async function refuseSignIn(page: Page) {
  await fill(page, { 'E-mail': 'x@example.com', Password: 'not this' })
  await press('Sign in')(page)
  await expect(page.getByText('The e-mail address or the password is wrong.')).toBeVisible()
}

async function askForLink(page: Page) {
  await fill(page, { 'E-mail': 'x@example.com' })
  await press('Send reset link')(page)
  await expect(page.getByText(/on its way/)).toBeVisible()
}

function openRowMenu(name: string) {
  return async (page: Page) => {
    await press(`Actions for ${name}`)(page)
    await expect(page.getByRole('menuitem').first()).toBeVisible()
  }
}

function row(name: string | RegExp, action: string) {
  return async (page: Page) => {
    await press(typeof name === 'string' ? `Actions for ${name}` : name)(page)
    await page.getByRole('menuitem', { name: action }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  }
}

async function fill(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
}

function clear(page: Page, label: string) {
  return fill(page, { [label]: '' })
}

async function openAccountMenu(page: Page) {
  await press('Your account')(page)
  await expect(page.getByRole('menuitem')).toHaveCount(2)
}

async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('option', { name: /^Donau/ }).first()).toBeVisible()
}

async function askToSignInAgain(page: Page) {
  const error = {
    status: 'FAILED_PRECONDITION',
    message: '',
    details: { reason: 'auth/requires-recent-login' },
  }
  await page.route('**/api/deleteAccount', (route) =>
    route.fulfill({ status: 400, json: { error } }),
  )
  await page
    .getByLabel('Type your user ID to confirm')
    .fill(await page.locator('main .id-text').first().innerText())
  await press('Delete account')(page)
  await expect(page.getByRole('dialog')).toBeVisible()
}

async function pasteSeveral(page: Page) {
  await page.getByRole('textbox').fill(`${'nonsense'.repeat(12)}\nx@example.com, x@example.com`)
  await expect(page.getByText('nonsense').last()).toBeVisible()
}

async function inviteSeveral(page: Page) {
  await page.getByRole('textbox').fill(`${'nonsense'.repeat(12)}, li@example.com`)
  await press('Send 1 invitation')(page)
  await expect(page.getByRole('button', { name: 'Invite more people' })).toBeVisible()
}

async function letBankAsk(page: Page) {
  await fill(page, {
    'Cardholder name': 'Stan',
    'Card number': '4000002500003155',
    'Expiry date (MM/YY)': '12/34',
    'Security code': '123',
  })
  await press('Save card')(page)
  await expect(page.frameLocator('iframe').getByRole('button').first()).toBeVisible()
}

async function loseServer(page: Page) {
  // The app has to ask anew who is there.
  await page.goto('about:blank')
  await page.route('**/api/refreshSession', (route) =>
    page.url().endsWith('?lost') ? route.abort('aborted') : route.continue(),
  )
}
