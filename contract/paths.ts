/** Where every screen is. Routes, links, mails and redirects all read it here. */
export const paths = {
  home: '/',
  dashboard: '/dashboard',
  profile: '/profile',
  editName: '/edit-name',
  editEmail: '/edit-email',
  changePassword: '/change-password',
  deleteAccount: '/delete-account',
  ownActivity: '/activity',
  signIn: '/signin',
  signUp: '/signup',
  resetPassword: '/reset-password',
  authAction: '/auth/action',
  invitation: '/invitation',
  createPlan: '/create-plan',
  subscription: '/subscription/:id',
  users: '/subscription/:id/users',
  invite: '/subscription/:id/users/invite',
  settings: '/subscription/:id/settings',
  activity: '/subscription/:id/activity',
  billing: '/subscription/:id/billing',
  changePlan: '/subscription/:id/billing/change-plan',
  cancelSubscription: '/subscription/:id/billing/cancel',
  managePaymentMethods: '/subscription/:id/billing/payment-methods',
  updateBillingDetails: '/subscription/:id/billing/update-details',
  transferOwnership: '/subscription/:id/billing/transfer-ownership',
} as const

export type PathName = keyof typeof paths
/** The screens inside one project. */
export type ProjectPathName = {
  [Name in PathName]: (typeof paths)[Name] extends `/subscription/:id${string}` ? Name : never
}[PathName]

/** The path of a screen inside one project. */
export function projectPath(name: ProjectPathName, id: string) {
  return paths[name].replace(':id', encodeURIComponent(id))
}
