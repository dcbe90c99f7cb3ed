import { paths, projectPath, type ProjectPathName } from '../../contract/paths.ts'
import { isOpen, screenEntries, type ScreenName as NameInTable } from '../../contract/screens.ts'
import type { Locator, Page } from '@playwright/test'
import { ann, dan, nina, omar, pia, type Scene } from '../scene/scene.ts'

/** A screen as the person `as` sees it, or signed out. */
export type Screen = {
  as?: string
  path: (scene: Scene) => string
  /** Runs before the first picture. */
  open?: (page: Page) => Promise<void>
  /** Runs before each picture, to open what closes when the window's width changes. */
  reopen?: (page: Page) => Promise<void>
}

/** Every screen of the table: as the owner of a busy project sees it, or signed out. */
const ofTable = {
  ...(Object.fromEntries(
    screenEntries.map(([name, { path, needs }]) => {
      if (path.includes(':')) return [name, inProject('busy', name as ProjectPathName)]
      return [name, { ...(!isOpen(needs) && { as: ann }), path: () => path }]
    }),
  ) as Record<NameInTable, Screen>),
  authAction: { path: ({ resetLink }: Scene) => resetLink },
  invitation: { path: ({ invitationLink }: Scene) => invitationLink },
}

const addingCard = inProject('busy', 'managePaymentMethods', '?add')

/** Other states: people and projects in other situations, second steps, dialogs and menus. */
const others = {
  welcome: { path: () => paths.welcome },
  pricing: { path: () => paths.pricing },
  notFound: { path: () => '/nowhere' },
  accessDenied: { as: omar, path: ({ busy }) => projectPath('subscription', busy) },
  usedLink: { path: () => `${paths.authAction}?mode=verifyEmail&oobCode=used` },
  dashboardEmpty: { as: omar, path: () => paths.dashboard },
  dashboardNew: { as: pia, path: () => paths.dashboard },
  wrongAddress: { as: pia, path: () => paths.dashboard, open: askAboutAddress },
  offline: { as: ann, path: () => paths.dashboard, open: loseConnection },
  checkout: { as: ann, path: () => `${paths.createPlan}?plan=pro` },
  subscriptionEmpty: inProject('empty', 'subscription'),
  usersEmpty: inProject('empty', 'users'),
  billingEmpty: inProject('empty', 'billing'),
  paymentMethodsEmpty: inProject('empty', 'managePaymentMethods'),
  transferEmpty: inProject('empty', 'transferOwnership'),
  subscriptionOverdue: inProject('overdue', 'subscription'),
  subscriptionOfMember: { ...inProject('busy', 'subscription'), as: dan },
  subscriptionLegacy: inProject('legacy', 'subscription'),
  billingOverdue: inProject('overdue', 'billing'),
  billingLegacy: inProject('legacy', 'billing'),
  subscriptionCanceled: inProject('ended', 'subscription'),
  billingCanceled: inProject('ended', 'billing'),
  inviteSeveral: inProject('busy', 'invite', '?several'),
  addCard: addingCard,
  cardDeclined: { ...addingCard, open: (page) => saveCard(page, '4000000000000002', refused) },
  bankAsks: { ...addingCard, open: (page) => saveCard(page, '4000002500003155', bank) },
  confirmChange: inProject('busy', 'changePlan', '?plan=enterprise'),
  userMenu: { ...inProject('busy', 'users'), open: openUserMenu },
  permissions: { ...inProject('busy', 'users'), open: (page) => chooseForUser(page, 0) },
  removeUser: { ...inProject('busy', 'users'), open: (page) => chooseForUser(page, 1) },
  signInMistakes: { path: () => `${paths.signIn}?again`, open: send },
  checkoutMistakes: { as: ann, path: () => `${paths.createPlan}?plan=enterprise`, open: send },
  selected: { ...inProject('busy', 'users'), open: select },
  switcher: { ...inProject('busy', 'users'), reopen: openSwitcher },
  menu: { ...inProject('busy', 'users'), reopen: openMenu },
  palette: { ...inProject('busy', 'subscription'), open: openPalette },
  profileMenu: { as: ann, path: () => paths.dashboard, open: openProfileMenu },
} satisfies Record<string, Screen>

/** The sandbox's own pages, in English only. */
const sandbox = {
  sandbox: { path: () => '/sandbox' },
  sandboxClock: { path: () => '/sandbox/clock' },
  sandboxControl: { path: () => '/sandbox/control' },
  sandboxInvoice: { path: ({ invoicePage }) => invoicePage },
} satisfies Record<string, Screen>

export const screens: Record<
  keyof typeof ofTable | keyof typeof others | keyof typeof sandbox,
  Screen
> = {
  ...ofTable,
  ...others,
  ...sandbox,
}
export type ScreenName = keyof typeof screens

export function isOfSandbox(name: string) {
  return name in sandbox
}

function inProject(
  which: 'busy' | 'empty' | 'ended' | 'legacy' | 'overdue',
  name: ProjectPathName,
  query = '',
): Screen {
  const as = which === 'empty' ? nina : ann
  return { as, path: (scene) => projectPath(name, scene[which]) + query }
}

/** Sends an empty form, so that each field says what it needs. */
async function send(page: Page) {
  await page.locator('main form button[type=submit]').last().click()
  await page.locator('[aria-invalid=true]').first().waitFor()
}

async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('option').nth(8).waitFor()
}

async function openProfileMenu(page: Page) {
  await page.locator('header [aria-haspopup=menu]').last().click()
  await page.getByRole('menuitem').first().waitFor()
}

async function openUserMenu(page: Page) {
  await page.getByRole('row').filter({ hasText: 'Carla Cruz' }).getByRole('button').last().click()
  await page.getByRole('menuitem').first().waitFor()
}

async function chooseForUser(page: Page, index: number) {
  await openUserMenu(page)
  await page.getByRole('menuitem').nth(index).click()
}

async function select(page: Page) {
  const boxes = page.getByRole('row').getByRole('checkbox')
  for (const index of [1, 2]) await boxes.nth(index).check()
}

async function openSwitcher(page: Page) {
  const button = page.locator('[aria-haspopup=menu]:visible').filter({ hasText: 'Bridge' }).first()
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  await page.getByRole('menuitem').first().waitFor()
}

/** On wide screens, where nothing opens, the menu is the sidebar. */
async function openMenu(page: Page) {
  const button = page.locator('header button:has(+ dialog:not([open]))')
  if (await button.isVisible()) await button.click()
}

async function askAboutAddress(page: Page) {
  await page.locator('main button[type=button]').last().click()
  await page.getByRole('dialog').waitFor()
}

/** Only this page takes the connection for lost: the other pages of the person need it. */
async function loseConnection(page: Page) {
  await page.evaluate(() => dispatchEvent(new Event('offline')))
}

const refused = (page: Page) => cardFields(page).locator('[aria-invalid=true]')
const bank = (page: Page) => page.locator('dialog iframe')

/** Saves a card that the bank refuses or asks about, and waits until `shown` says so. */
async function saveCard(page: Page, number: string, shown: (page: Page) => Locator) {
  const card = { number, exp: '12/34', csc: '123' }
  for (const [field, value] of Object.entries(card))
    await cardFields(page).locator(`[autocomplete=cc-${field}]`).fill(value)
  await page.locator('[autocomplete=cc-name]').fill('Ann Archer')
  await page.locator('main form button[type=submit]').last().click()
  await shown(page).waitFor()
}

function cardFields(page: Page) {
  return page.frameLocator('iframe[src="/sandbox/card"]')
}
