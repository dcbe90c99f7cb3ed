import { paths, projectPath, type ProjectPathName } from '#contract/paths.ts'
import { isOpen, type ScreenName, screens } from '#contract/screens.ts'
import type { Page } from '@playwright/test'
import type { Person, Stage } from './stage.ts'
import { bankFrame, confirmOwnId, fillCard, submit } from './people.ts'
import { expect, refuseNext } from './visitor.ts'

/** A screen in one state, and how a test gets it there. */
export type Look = {
  state: string
  who: Person
  path: (stage: Stage) => string
  before?: (page: Page) => Promise<unknown>
  /** What the test does on the screen before it checks it. */
  act?: (page: Page) => Promise<unknown>
  /** The only width at which the test checks the screen. */
  width?: number
  /** Calls that the server may refuse on the way. */
  refused?: string[]
}

/** A look whose path is in the table of screens: of the owner at the full project by default. */
type Example = Partial<Omit<Look, 'path'>> & {
  in?: keyof Stage['project']
  query?: string
  /** The mailed link that leads to the screen. */
  link?: keyof Stage['link']
}

const ofSignIn = ['signIn', 'refreshSession']

/** The states to check of each screen. A screen without examples is checked as it opens. */
const examples: { [Name in ScreenName]?: Example[] } = {
  signIn: [
    { state: 'form', refused: ofSignIn },
    { state: 'with mistakes', act: press('Sign in'), refused: ofSignIn },
    { state: 'refused', act: refuseSignIn, refused: ofSignIn },
  ],
  signUp: [{ state: 'form' }, { state: 'with mistakes', act: press('Create account') }],
  resetPassword: [{ state: 'form' }, { state: 'sent', act: askForLink }],
  authAction: [
    { state: 'with a broken link' },
    {
      state: 'with a link that ended',
      query: '?mode=verifyEmail&oobCode=x',
      refused: ['applyActionCode'],
    },
    { state: 'of a verified account', link: 'verifiedEmail', refused: ['applyActionCode'] },
    {
      state: 'of an account that nobody claimed',
      link: 'unclaimedAccount',
      refused: ['applyActionCode'],
    },
    {
      state: 'to claim an account with a new password',
      link: 'unclaimedAccount',
      act: press('Set a new password'),
      refused: ['applyActionCode'],
    },
    {
      state: 'to end an account that another person made',
      link: 'unclaimedAccount',
      act: press("I didn't create this account"),
      refused: ['applyActionCode'],
    },
    { state: 'to choose a password', link: 'resetPassword', act: press('Save new password') },
    { state: 'to change the address', link: 'changeEmail' },
  ],
  invitation: [
    { state: 'without a code' },
    { state: 'of a visitor', link: 'invitation' },
    { state: 'with mistakes', link: 'invitation', act: press('Create account and join') },
    { state: 'of a visitor with another address', link: 'invitation', act: press('Not you?') },
    { state: 'of a visitor with an account', link: 'ownInvitation' },
    { state: 'of the invited person', who: 'owner', link: 'ownInvitation' },
    { state: 'of another user', who: 'member', link: 'invitation' },
  ],
  join: [
    { state: 'without a code' },
    { state: 'with a link that ended', query: '?code=x', refused: ['checkJoinLink'] },
    { state: 'of a visitor', link: 'join' },
    { state: 'of somebody who is signed in', who: 'starter', link: 'join' },
    { state: 'before the address is verified', who: 'newcomer', link: 'join' },
  ],
  dashboard: [
    { state: 'before the address is verified', who: 'newcomer' },
    { state: 'asking about a wrong address', who: 'newcomer', act: press('Wrong address?') },
    { state: 'empty', who: 'member', query: '?search=nothing+like+it' },
    { state: 'full' },
    { state: 'with its account menu open', act: openAccountMenu },
    { state: 'with the palette open', act: openPalette },
    { state: 'with its menu sheet open', width: 390, act: press('Open menu') },
  ],
  createPlan: [
    { state: 'plans', who: 'newcomer' },
    {
      state: 'checkout with mistakes',
      who: 'newcomer',
      query: '?plan=pro',
      act: press(/and create project$/),
    },
  ],
  profile: [{ state: 'of a newcomer', who: 'newcomer' }, { state: 'full' }],
  editName: [
    { state: 'form' },
    { state: 'with a mistake', act: submits('Save name', { Name: '' }) },
  ],
  editEmail: [{ state: 'before the address is verified', who: 'newcomer' }, { state: 'form' }],
  changePassword: [{ state: 'form' }, { state: 'with mistakes', act: press('Save password') }],
  ownActivity: [{ state: 'of a newcomer', who: 'newcomer' }, { state: 'full' }],
  deleteAccount: [
    { state: 'of a user who owns nothing', who: 'newcomer' },
    { state: 'of an owner' },
    {
      state: 'asking to sign in again',
      who: 'member',
      act: askToSignInAgain,
      refused: ['deleteAccount'],
    },
  ],
  subscription: [
    { state: 'full' },
    { state: 'with its first steps', who: 'starter' },
    { state: 'of an administrator', who: 'admin' },
    { state: 'canceled', in: 'canceled' },
    { state: 'with a payment overdue', in: 'overdue' },
    { state: 'of a member who leaves', who: 'member', act: press('Leave project') },
    { state: 'with its switcher open', width: 1280, act: openSwitcher },
    { state: 'with its menu sheet open', width: 390, act: press('Open menu') },
  ],
  users: [
    { state: 'alone', who: 'starter' },
    { state: 'full' },
    { state: 'of a canceled project', in: 'canceled' },
    { state: 'when nobody matches', query: `?search=${'x'.repeat(80)}` },
    { state: 'with a menu open', act: openRowMenu('王小明') },
    { state: 'editing permissions', act: row('王小明', 'Edit permissions') },
    { state: 'removing', act: row('王小明', 'Remove from project') },
    { state: 'letting somebody in', act: press('Accept Stan Short') },
    { state: 'declining a request', act: press('Decline Stan Short') },
    { state: 'revoking', who: 'admin', act: row(/^Actions for Donau/, 'Revoke invitation') },
  ],
  invite: [
    { state: 'one', who: 'starter', act: press('Send invitation') },
    { state: 'several', who: 'starter', query: '?several', act: pasteSeveral },
    { state: 'results', query: '?several', act: inviteSeveral },
    { state: 'with a join link' },
    { state: 'making a join link', who: 'starter', act: press('Make a join link') },
    { state: 'revoking a join link', act: press('Revoke link') },
    { state: 'of a canceled project', in: 'canceled' },
  ],
  settings: [
    { state: 'full' },
    {
      state: 'with a mistake',
      who: 'starter',
      act: submits('Save settings', { 'Project Name': '' }),
    },
  ],
  activity: [
    { state: 'of a young project', who: 'starter' },
    { state: 'full' },
    { state: 'when nothing matches', query: '?search=zebra' },
  ],
  billing: [
    { state: 'without invoices', who: 'starter' },
    { state: 'full' },
    { state: 'of an administrator', who: 'admin' },
    { state: 'overdue', in: 'overdue' },
    { state: 'canceled', in: 'canceled' },
  ],
  changePlan: [
    { state: 'plans' },
    {
      state: 'from free, with mistakes',
      who: 'starter',
      query: '?plan=pro',
      act: press(/and change to Pro$/),
    },
    { state: 'from one to another', query: '?plan=enterprise' },
    { state: 'of a canceled project', in: 'canceled' },
  ],
  managePaymentMethods: [
    { state: 'empty', who: 'starter' },
    { state: 'full' },
    { state: 'deleting', act: press(/^Delete card Visa/) },
    { state: 'adding, with mistakes', query: '?add', act: press('Save card') },
    { state: 'with the bank asking', who: 'starter', query: '?add', act: letBankAsk },
  ],
  updateBillingDetails: [
    { state: 'empty, with mistakes', who: 'starter', act: press('Save billing details') },
    { state: 'full' },
  ],
  transferOwnership: [
    { state: 'to nobody', who: 'starter' },
    { state: 'without a choice', act: press('Transfer ownership') },
    { state: 'asking', act: chooseOwner },
  ],
}

/** Every screen of the table, in every state that has an example. */
export const looks = (Object.keys(screens) as ScreenName[]).flatMap((name) =>
  (examples[name] ?? [{ state: 'as it opens' }]).map((example) => ({
    name: `${name}, ${example.state}`,
    look: toLook(name, example),
  })),
)

/** Addresses that no screen of the table belongs to. */
export const beyond: Look[] = [
  { state: 'the address of the product itself', who: 'newcomer', path: () => paths.home },
  {
    state: 'a project of others',
    who: 'member',
    path: ({ project }) => projectPath('users', project.empty),
    refused: ['getSubscription'],
  },
  {
    state: 'an address that leads nowhere',
    who: 'visitor',
    path: () => '/nowhere',
    refused: ['nowhere'],
  },
  {
    state: 'a server that does not answer',
    who: 'newcomer',
    path: () => `${paths.dashboard}?lost`,
    before: loseServer,
    refused: ['refreshSession'],
  },
]

function toLook(name: ScreenName, { state = '', link, query = '', ...example }: Example): Look {
  const { path, needs } = screens[name]
  const who = example.who ?? (isOpen(needs) ? 'visitor' : 'owner')
  const which = example.in ?? (who === 'starter' ? 'empty' : 'full')
  const pathOf = ({ project }: Stage) =>
    path.includes(':id') ? projectPath(name as ProjectPathName, project[which]) : path
  return {
    ...example,
    state,
    who,
    path: (stage) => (link ? stage.link[link] : pathOf(stage) + query),
  }
}

function press(name: string | RegExp) {
  return (page: Page) => page.getByRole('button', { name, exact: true }).click()
}

function submits(button: string, fields: Record<string, string>) {
  return (page: Page) => submit(page, button, fields)
}

async function chooseOwner(page: Page) {
  await page.getByRole('radio').check()
  await press('Transfer ownership')(page)
}

async function refuseSignIn(page: Page) {
  await submit(page, 'Sign in', { Email: 'x@example.com', Password: 'not this' })
  await expect(page.getByText('The email address or password is wrong.')).toBeVisible()
}

async function askForLink(page: Page) {
  await submit(page, 'Send reset link', { Email: 'x@example.com' })
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

async function openAccountMenu(page: Page) {
  await press('Your account')(page)
  await expect(page.getByRole('menuitem')).toHaveCount(6)
}

async function openSwitcher(page: Page) {
  await press(/Switch project$/)(page)
  await expect(page.getByRole('menuitem').last()).toBeVisible()
}

async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('option', { name: /^Donau/ }).first()).toBeVisible()
}

async function askToSignInAgain(page: Page) {
  await refuseNext(page, 'deleteAccount', 'auth/requires-recent-login')
  await confirmOwnId(page)
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
  await fillCard(page, '4000002500003155')
  await submit(page, 'Save card', { 'Cardholder name': 'Stan' })
  await expect(bankFrame(page).getByRole('button').first()).toBeVisible()
}

async function loseServer(page: Page) {
  // A new page makes the app ask again who is signed in.
  await page.goto('about:blank')
  await page.route('**/api/refreshSession', (route) =>
    page.url().endsWith('?lost') ? route.abort('aborted') : route.continue(),
  )
}
