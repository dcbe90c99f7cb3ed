import type Stripe from 'stripe'
import { z } from 'zod'
import { missingParam, refused } from '../rules/errors.ts'
import { text } from '../api/params.ts'
import { newObject } from '../objects/new-object.ts'
import { noDetails } from '../objects/payment-method.ts'
import type { PaymentMethod } from '../objects/wire.ts'
import { refusals } from '../rules/refusals.ts'
import { save } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import { billingOf, type cardFields } from './card-fields.ts'

/** Payment methods other than cards. Link pays at once; a bank account's bank takes hours. */
export const otherFields = {
  type: z.enum(['card', 'link', 'us_bank_account']),
  us_bank_account: z
    .strictObject({
      account_holder_type: z.enum(['individual', 'company']),
      account_number: text,
      account_type: z.enum(['checking', 'savings']).optional(),
      routing_number: z.string().regex(/^\d{9}$/),
    })
    .optional(),
}

type Given = {
  type: 'link' | 'us_bank_account'
  us_bank_account: z.output<typeof otherFields.us_bank_account>
  billing_details?: z.output<typeof cardFields.billing_details>
  allow_redisplay?: z.output<typeof cardFields.allow_redisplay>
}

export function newOtherMethod(
  tx: Tx,
  given: Given,
  metadata: Stripe.Metadata,
): Promise<PaymentMethod> {
  const billing_details = billingOf(given.billing_details ?? {}, noDetails)
  return save(tx, {
    ...newObject('payment_method', 'pm', tx.now),
    allow_redisplay: given.allow_redisplay ?? 'unspecified',
    billing_details,
    customer: null,
    customer_account: null,
    metadata,
    type: given.type,
    ...(given.type === 'link'
      ? { link: { email: billing_details.email } }
      : { us_bank_account: bankAccount(given.us_bank_account) }),
    $hidden: { number: given.type, authenticated: true },
  })
}

function bankAccount(account: Given['us_bank_account']): Stripe.PaymentMethod.UsBankAccount {
  if (!account) throw missingParam('us_bank_account')
  return {
    account_holder_type: account.account_holder_type,
    account_type: account.account_type ?? 'checking',
    bank_name: 'STRIPE TEST BANK',
    financial_connections_account: null,
    fingerprint: null,
    last4: account.account_number.slice(-4),
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: account.routing_number,
    status_details: null,
  }
}

/** Refuses a payment method that isn't in `allowed`; without it every method may pay. */
export function refuseForbidden(
  { type }: PaymentMethod,
  allowed: readonly string[] | null,
  param = 'payment_method',
) {
  if (!allowed || allowed.includes(type)) return
  throw refused({ ...refusals.methodNotAllowed, param }, { type, allowed: allowed.join(', ') })
}
