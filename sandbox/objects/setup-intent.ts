import { newObject, nulls, randomLetters } from './new-object.ts'
import { everyMethod } from './payment-method.ts'
import type { SetupIntent } from './wire.ts'

export type NewSetupIntent = Pick<SetupIntent, 'customer' | 'allowed_payment_method_types'> &
  Partial<SetupIntent>

export function newSetupIntent(given: NewSetupIntent, now: number): SetupIntent {
  const base = newObject('setup_intent', 'seti', now)
  return {
    ...base,
    ...nulls(
      'application cancellation_reason customer_account description excluded_payment_method_types',
      'flow_directions last_setup_error latest_attempt mandate next_action on_behalf_of',
      'payment_method payment_method_configuration_details single_use_mandate',
    ),
    automatic_payment_methods: given.allowed_payment_method_types
      ? null
      : { allow_redirects: 'always', enabled: true },
    client_secret: `${base.id}_secret_${randomLetters(24)}`,
    metadata: {},
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: given.allowed_payment_method_types ?? everyMethod,
    status: 'requires_payment_method',
    usage: 'off_session',
    $hidden: { returnUrl: null },
    ...given,
  }
}
