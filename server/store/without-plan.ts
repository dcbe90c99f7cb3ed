/** What is kept of a project's plan at the provider when it has none any more. */
export const withoutPlan = {
  payment: 'ok',
  renewsAt: null,
  weeklyAmount: null,
  currency: null,
  endsAt: null,
  collectionPaused: false,
  hasCard: true,
} as const
