import { newId, randomLetters } from './ids.ts'
import { everyMethod } from './payment-method.ts'
import type { SetupIntent } from './wire.ts'

export type NewSetupIntent = Pick<
  SetupIntent,
  'customer' | 'description' | 'usage' | 'allowed_payment_method_types'
> & { metadata: Record<string, string>; returnUrl: string | null }

export function newSetupIntent(
  { metadata, returnUrl, ...given }: NewSetupIntent,
  now: number,
): SetupIntent {
  const id = newId('seti')
  return {
    id,
    object: 'setup_intent',
    application: null,
    automatic_payment_methods: given.allowed_payment_method_types
      ? null
      : { allow_redirects: 'always', enabled: true },
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomLetters(24)}`,
    created: now,
    customer_account: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: given.allowed_payment_method_types ?? everyMethod,
    single_use_mandate: null,
    status: 'requires_payment_method',
    ...given,
    $hidden: { returnUrl },
  }
}
