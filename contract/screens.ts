import type { MessageKey } from '#locales/keys.ts'
import type { Needs } from './calls.ts'

/** Its component is the only export of `client/screens/<domain>/<name>.screen.tsx`. */
type Screen = {
  path: string
  /** Who may open it, as of a call; `signedOut`: only people who are not signed in. */
  needs: Needs | 'signedOut'
  /** Of a project that is not canceled. */
  onlyActive?: true
} & (Link | { title?: never })

/** A screen with a title is offered in the palette, and with `menu` in the sidebar too. */
type Link = { title: MessageKey; icon: ScreenIcon; menu?: true }

export type ScreenIcon =
  | 'card'
  | 'chart'
  | 'history'
  | 'people'
  | 'person'
  | 'projects'
  | 'settings'

/** Every screen. Routes, guards, menu, palette, mails and tests read this table. */
export const screens = {
  signIn: { path: '/signin', needs: 'signedOut' },
  signUp: { path: '/signup', needs: 'signedOut' },
  resetPassword: { path: '/reset-password', needs: 'anyone' },
  authAction: { path: '/auth/action', needs: 'anyone' },
  invitation: { path: '/invitation', needs: 'anyone' },

  dashboard: {
    path: '/dashboard',
    needs: 'signedIn',
    title: 'layout.projects',
    icon: 'projects',
    menu: true,
  },
  createPlan: { path: '/create-plan', needs: 'signedIn' },
  profile: { path: '/profile', needs: 'signedIn', title: 'layout.myProfile', icon: 'person' },
  editName: { path: '/edit-name', needs: 'signedIn', title: 'profile.editName', icon: 'person' },
  editEmail: { path: '/edit-email', needs: 'signedIn', title: 'profile.editEmail', icon: 'person' },
  changePassword: {
    path: '/change-password',
    needs: 'signedIn',
    title: 'profile.changePassword',
    icon: 'person',
  },
  ownActivity: {
    path: '/activity',
    needs: 'signedIn',
    title: 'activity.ownTitle',
    icon: 'history',
  },
  deleteAccount: {
    path: '/delete-account',
    needs: 'signedIn',
    title: 'profile.deleteAccount',
    icon: 'person',
  },

  subscription: {
    path: '/subscription/:id',
    needs: 'member',
    title: 'layout.dashboard',
    icon: 'chart',
    menu: true,
  },
  users: {
    path: '/subscription/:id/users',
    needs: 'admin',
    title: 'layout.users',
    icon: 'people',
    menu: true,
  },
  invite: { path: '/subscription/:id/users/invite', needs: 'admin' },
  billing: {
    path: '/subscription/:id/billing',
    needs: 'admin',
    title: 'layout.billing',
    icon: 'card',
    menu: true,
  },
  settings: {
    path: '/subscription/:id/settings',
    needs: 'admin',
    title: 'layout.settings',
    icon: 'settings',
    menu: true,
  },
  activity: {
    path: '/subscription/:id/activity',
    needs: 'admin',
    title: 'layout.activity',
    icon: 'history',
    menu: true,
  },
  updateBillingDetails: {
    path: '/subscription/:id/billing/update-details',
    needs: 'owner',
    onlyActive: true,
    title: 'billing.overview.updateDetails',
    icon: 'card',
  },
  managePaymentMethods: {
    path: '/subscription/:id/billing/payment-methods',
    needs: 'owner',
    onlyActive: true,
    title: 'billing.overview.manageCards',
    icon: 'card',
  },
  changePlan: {
    path: '/subscription/:id/billing/change-plan',
    needs: 'owner',
    onlyActive: true,
    title: 'billing.change.title',
    icon: 'card',
  },
  transferOwnership: {
    path: '/subscription/:id/billing/transfer-ownership',
    needs: 'owner',
    onlyActive: true,
    title: 'billing.transfer.title',
    icon: 'card',
  },
  cancelSubscription: {
    path: '/subscription/:id/billing/cancel',
    needs: 'owner',
    onlyActive: true,
    title: 'billing.cancel.title',
    icon: 'card',
  },
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof screens
export const screenEntries = Object.entries(screens) as [ScreenName, Screen][]
