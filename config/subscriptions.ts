import type { Subscriptions } from '#contract/plan.ts'

export const subscriptions: Subscriptions = {
  ownership: 'given',
}
