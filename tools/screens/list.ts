import { paths, projectPath, type PathName, type ProjectPathName } from '#contract/paths.ts'
import type { Page } from '@playwright/test'
import { ann, nina, omar, type Scene } from '../scene/scene.ts'

/** Where somebody is to be; with `open`, what they do there. `as` nobody: signed out. */
export type Screen = {
  as?: string
  path: (scene: Scene) => string
  open?: (page: Page) => Promise<void>
}

/** Those that have an address of their own: as whoever owns a busy project sees them, but for what is seen signed out. */
const ofPaths = {
  ...(Object.fromEntries(
    Object.entries(paths).map(([name, path]) => [
      name,
      path.includes(':') ? ofBusy(name as ProjectPathName) : { as: ann, path: () => path },
    ]),
  ) as Record<PathName, Screen>),
  signIn: { path: () => paths.signIn },
  signUp: { path: () => paths.signUp },
  resetPassword: { path: () => paths.resetPassword },
  authAction: { path: ({ resetLink }: Scene) => resetLink },
  invitation: { path: ({ invitationLink }: Scene) => invitationLink },
}

/** What else is to be seen: where nothing is yet or any more, second steps, and what opens over a screen. */
const others = {
  notFound: { path: () => '/nowhere' },
  accessDenied: { as: omar, path: ({ busy }) => projectPath('subscription', busy) },
  usedLink: { path: () => `${paths.authAction}?mode=verifyEmail&oobCode=used` },
  dashboardEmpty: { as: omar, path: () => paths.dashboard },
  checkout: { as: ann, path: () => `${paths.createPlan}?plan=pro` },
  subscriptionEmpty: ofEmpty('subscription'),
  usersEmpty: ofEmpty('users'),
  billingEmpty: ofEmpty('billing'),
  paymentMethodsEmpty: ofEmpty('managePaymentMethods'),
  transferEmpty: ofEmpty('transferOwnership'),
  subscriptionCanceled: { as: ann, path: ({ ended }) => projectPath('subscription', ended) },
  billingCanceled: { as: ann, path: ({ ended }) => projectPath('billing', ended) },
  inviteSeveral: {
    ...ofBusy('invite'),
    path: ({ busy }) => `${projectPath('invite', busy)}?several`,
  },
  addCard: {
    ...ofBusy('managePaymentMethods'),
    path: ({ busy }) => `${projectPath('managePaymentMethods', busy)}?add`,
  },
  confirmChange: {
    ...ofBusy('changePlan'),
    path: ({ busy }) => `${projectPath('changePlan', busy)}?plan=enterprise`,
  },
  userMenu: { ...ofBusy('users'), open: openUserMenu },
  permissions: { ...ofBusy('users'), open: (page) => chooseForUser(page, 0) },
  removeUser: { ...ofBusy('users'), open: (page) => chooseForUser(page, 1) },
  signInMistakes: { path: () => `${paths.signIn}?again`, open: send },
  checkoutMistakes: { as: ann, path: () => `${paths.createPlan}?plan=enterprise`, open: send },
  palette: { as: ann, path: ({ busy }) => projectPath('subscription', busy), open: openPalette },
  profileMenu: { as: ann, path: () => paths.dashboard, open: openProfileMenu },
} satisfies Record<string, Screen>

/** Of the sandbox, which is in English only. */
const sandbox = {
  sandbox: { path: () => '/sandbox' },
  sandboxClock: { path: () => '/sandbox/clock' },
  sandboxControl: { path: () => '/sandbox/control' },
  sandboxInvoice: { path: ({ invoicePage }) => invoicePage },
} satisfies Record<string, Screen>

export const screens: Record<
  keyof typeof ofPaths | keyof typeof others | keyof typeof sandbox,
  Screen
> = {
  ...ofPaths,
  ...others,
  ...sandbox,
}
export type ScreenName = keyof typeof screens

export function isOfSandbox(name: string) {
  return name in sandbox
}

function ofBusy(name: ProjectPathName): Screen {
  return { as: ann, path: ({ busy }) => projectPath(name, busy) }
}

function ofEmpty(name: ProjectPathName): Screen {
  return { as: nina, path: ({ empty }) => projectPath(name, empty) }
}

/** As nothing is filled in: refused with a word at each field. */
async function send(page: Page) {
  await page.locator('main form button[type=submit]').last().click()
  await page.locator('[aria-invalid=true]').first().waitFor()
}

async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('option').nth(8).waitFor()
}

async function openProfileMenu(page: Page) {
  await page.locator('header [aria-haspopup=menu]').click()
  await page.getByRole('menuitem').first().waitFor()
}

async function openUserMenu(page: Page) {
  await page.getByRole('row').filter({ hasText: 'Carla Cruz' }).getByRole('button').click()
  await page.getByRole('menuitem').first().waitFor()
}

async function chooseForUser(page: Page, index: number) {
  await openUserMenu(page)
  await page.getByRole('menuitem').nth(index).click()
}
