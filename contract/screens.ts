import { product } from '#config/product.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { Needs } from './calls.ts'

/** A screen's component is the only export of `client/screens/<domain>/<name>.screen.tsx`. */
type Screen = {
  path: string
  /** `signedOut`: only people who are not signed in. The other words mean the same as for calls. */
  needs: Needs | 'signedOut'
  /** Nobody can open the screen for a canceled project. */
  onlyActive?: true
  /** The configuration has switched the screen off: its address leads nowhere. */
  isOff?: boolean
  /** The screen above it, to which its breadcrumb leads. */
  parent?: 'billing' | 'dashboard' | 'profile' | 'users'
  /** The title of the first of two steps. `?plan=` in the URL opens the second one. */
  firstStep?: MessageKey
} & (Link | NoLink)

/** The command palette offers the screens with a title. The sidebar offers those with `menu`. */
type Link = { title: MessageKey; icon: IconName; menu?: true }
type NoLink = { title?: never }

export type IconName = 'card' | 'chart' | 'history' | 'people' | 'person' | 'projects' | 'settings'

/** Every screen. Routes, guards, menu, palette, mails and tests read this table. */
export const screens = {
  signIn: { path: '/signin', needs: 'signedOut' },
  signUp: { path: '/signup', needs: 'signedOut' },
  resetPassword: { path: '/reset-password', needs: 'anyone' },
  authAction: { path: '/auth/action', needs: 'anyone' },
  invitation: { path: '/invitation', needs: 'anyone' },
  pricing: { path: '/pricing', needs: 'anyone', isOff: !product.pricing },

  dashboard: signedIn('/dashboard', { title: 'layout.projects', icon: 'projects', menu: true }),
  createPlan: signedIn('/create-plan', { parent: 'dashboard', firstStep: 'createPlan.title' }),
  profile: signedIn('/profile', { title: 'layout.myProfile', icon: 'person' }),
  editName: ofProfile('/edit-name', { title: 'profile.editName', icon: 'person' }),
  editEmail: ofProfile('/edit-email', { title: 'profile.editEmail', icon: 'person' }),
  changePassword: ofProfile('/change-password', {
    title: 'profile.changePassword',
    icon: 'person',
  }),
  ownActivity: ofProfile('/activity', { title: 'activity.ownTitle', icon: 'history' }),
  deleteAccount: ofProfile('/delete-account', { title: 'profile.deleteAccount', icon: 'person' }),

  subscription: member('', { title: 'layout.dashboard', icon: 'chart', menu: true }),
  users: admin('/users', { title: 'layout.users', icon: 'people', menu: true }),
  invite: admin('/users/invite', { parent: 'users' }),
  billing: admin('/billing', { title: 'layout.billing', icon: 'card', menu: true }),
  settings: admin('/settings', { title: 'layout.settings', icon: 'settings', menu: true }),
  activity: admin('/activity', { title: 'layout.activity', icon: 'history', menu: true }),
  changePlan: payer('/change-plan', 'billing.change.title', 'billing.change.title'),
  managePaymentMethods: payer('/payment-methods', 'billing.overview.manageCards'),
  updateBillingDetails: payer('/update-details', 'billing.overview.updateDetails'),
  transferOwnership: payer('/transfer-ownership', 'billing.transfer.title'),
  cancelSubscription: payer('/cancel', 'billing.cancel.title'),
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof screens
const all = Object.entries(screens) as [ScreenName, Screen][]
export const screenEntries = all.filter(([, { isOff }]) => !isOff)

/** Whether people who are not signed in can open a screen with these needs. */
export function isOpen(needs: Screen['needs']) {
  return needs === 'anyone' || needs === 'signedOut'
}

/** How the path of a screen's module ends, such as `/change-plan.screen.tsx`. */
export function screenModule(name: ScreenName) {
  return `/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.screen.tsx`
}

type Place = Pick<Screen, 'parent' | 'firstStep'>

function signedIn<Path extends string>(path: Path, link: (Link | NoLink) & Place = {}) {
  return { path, needs: 'signedIn', ...link } as const
}

/** A screen that the profile leads to. */
function ofProfile<Path extends string>(path: Path, link: Link) {
  return { path, needs: 'signedIn', parent: 'profile', ...link } as const
}

function member<Path extends string>(path: Path, link: (Link | NoLink) & Place = {}) {
  return { path: `/subscription/:id${path}`, needs: 'member', ...link } as const
}

function admin<Path extends string>(path: Path, link: (Link | NoLink) & Place = {}) {
  return { path: `/subscription/:id${path}`, needs: 'admin', ...link } as const
}

/** A billing screen that only the owner of an active project can open. */
function payer<Path extends string>(path: Path, title: MessageKey, firstStep?: MessageKey) {
  return {
    path: `/subscription/:id/billing${path}`,
    needs: 'owner',
    onlyActive: true,
    parent: 'billing',
    ...(firstStep && { firstStep }),
    title,
    icon: 'card',
  } as const
}
