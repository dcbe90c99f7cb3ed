import type { SubscriptionUser } from '#contract/entities.ts'

export function nameOf({ display_name, email }: SubscriptionUser) {
  return display_name || email
}
