import type { MessageKey } from '#locales/keys.ts'
import { ofModules } from './modules.ts'
import { inProject, type Screen } from './rows.ts'

/** Every screen. Routes, guards, menu, palette, mails and tests read this table. */
export const screens = {
  signIn: { path: '/signin', needs: 'signedOut' },
  signUp: { path: '/signup', needs: 'signedOut' },
  resetPassword: { path: '/reset-password', needs: 'anyone' },
  authAction: { path: '/auth/action', needs: 'anyone' },
  invitation: { path: '/invitation', needs: 'anyone' },
  join: { path: '/join', needs: 'anyone' },

  dashboard: {
    path: '/dashboard',
    needs: 'signedIn',
    title: 'layout.projects',
    icon: 'projects',
    menu: true,
  },
  createPlan: {
    path: '/create-plan',
    needs: 'signedIn',
    parent: 'dashboard',
    firstStep: 'createPlan.title',
  },
  profile: { path: '/profile', needs: 'signedIn', title: 'layout.myProfile', icon: 'person' },
  editName: ofProfile('/edit-name', 'profile.editName'),
  editEmail: ofProfile('/edit-email', 'profile.editEmail'),
  changePassword: ofProfile('/change-password', 'profile.changePassword'),
  ownActivity: ofProfile('/activity', 'activity.ownTitle', 'history'),
  deleteAccount: ofProfile('/delete-account', 'profile.deleteAccount'),

  subscription: inProject('', 'member', { title: 'layout.dashboard', icon: 'chart', menu: true }),
  ...ofModules('screens'),
  users: inProject('/users', 'admin', { title: 'layout.users', icon: 'users', menu: true }),
  invite: inProject('/users/invite', 'admin', { parent: 'users' }),
  billing: inProject('/billing', 'admin', { title: 'layout.billing', icon: 'card', menu: true }),
  settings: inProject('/settings', 'admin', {
    title: 'layout.settings',
    icon: 'settings',
    menu: true,
  }),
  activity: inProject('/activity', 'admin', {
    title: 'layout.activity',
    icon: 'history',
    menu: true,
  }),
  changePlan: payer('/change-plan', 'billing.change.title', 'billing.change.title'),
  managePaymentMethods: payer('/payment-methods', 'billing.overview.manageCards'),
  updateBillingDetails: payer('/update-details', 'billing.overview.updateDetails'),
  transferOwnership: payer('/transfer-ownership', 'billing.transfer.title'),
  cancelSubscription: payer('/cancel', 'billing.cancel.title'),
} as const satisfies Record<string, Screen>

export type ScreenName = keyof typeof screens
type Shown = Screen & { parent?: ScreenName }
const all = Object.entries(screens) as [ScreenName, Shown][]
export const screenEntries = all.filter(([, { isOff }]) => !isOff)

/** Whether people who are not signed in can open a screen with these needs. */
export function isOpen(needs: Screen['needs']) {
  return needs === 'anyone' || needs === 'signedOut'
}

/** How the path of a screen's file ends, such as `/change-plan.screen.tsx`. */
export function screenModule(name: ScreenName) {
  return `/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.screen.tsx`
}

/** A screen that the profile leads to. */
function ofProfile<Path extends string>(path: Path, title: MessageKey, icon = 'person') {
  return { path, needs: 'signedIn', parent: 'profile', title, icon } as const
}

/** A billing screen that only the owner of an active project can open. */
function payer<Path extends string>(path: Path, title: MessageKey, firstStep?: MessageKey) {
  return {
    path: `/subscription/:id/billing${path}`,
    needs: 'owner',
    onlyActive: 'evenLookOnly',
    parent: 'billing',
    ...(firstStep && { firstStep }),
    title,
    icon: 'card',
  } as const
}
