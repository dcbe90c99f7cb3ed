import { z } from 'zod'
import { cardError, invalid } from '../rules/errors.ts'
import { listing } from '../api/pages.ts'
import { flag, mergedMetadata, metadata, text } from '../api/params.ts'
import { route } from '../api/route.ts'
import { shown } from '../api/shown.ts'
import { applyPayment } from '../billing/apply-payment.ts'
import { problemOf, waitForCardholder } from '../billing/attempt.ts'
import { charge } from '../billing/charge.ts'
import { setUp } from '../billing/set-up.ts'
import { asksCardholder, declineOf } from '../cards/behaviour.ts'
import { publish } from '../events/record.ts'
import { newSetupIntent } from '../objects/intents.ts'
import type { PaymentMethod, SetupIntent } from '../objects/wire.ts'
import { save, lockObject } from '../store/objects.ts'
import type { Tx } from '../store/tx.ts'
import {
  methodTypes,
  cardToConfirm,
  confirmFields,
  intentSeenBy,
  retrieving,
  returnUrlOf,
  toConfirm,
} from './intent-fields.ts'

const reasons = z.enum(['abandoned', 'duplicate', 'requested_by_customer'])
const canceling = { cancellation_reason: reasons.optional() }
const setupFields = {
  allowed_payment_method_types: methodTypes,
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  confirm: flag.optional(),
  customer: text.optional(),
  description: text.optional(),
  metadata,
  payment_method: text.optional(),
  return_url: z.url().optional(),
  usage: z.enum(['off_session', 'on_session']).optional(),
}

export const setupIntents = [
  route('POST', '/setup_intents', setupFields, async ({ tx, input }) => {
    const { allowed_payment_method_types = null, customer = null } = input
    if (customer) await lockObject(tx, 'customer', customer, 'customer')
    const { description = null, usage = 'off_session' } = input
    const given = {
      allowed_payment_method_types,
      customer,
      description,
      metadata: mergedMetadata({}, input.metadata),
      usage,
      $hidden: { returnUrl: returnUrlOf(tx, input.return_url) },
    }
    const intent = await save(tx, newSetupIntent(given, tx.now))
    if (!input.payment_method) return intent
    const card = await cardToConfirm(tx, intent, { payment_method: input.payment_method })
    if (input.confirm) return confirmed(tx, intent, card)
    return save(tx, {
      ...intent,
      payment_method: card.id,
      status: 'requires_confirmation' as const,
    })
  }),
  listing('setup_intent', '/setup_intents', { customer: text, payment_method: text }),
  retrieving('setup_intent'),
  route(
    'POST',
    '/setup_intents/:id/confirm',
    confirmFields,
    async (asking) => {
      const { intent, card } = await toConfirm(asking, 'setup_intent')
      const { tx, browser } = asking
      return intentSeenBy(browser, await confirmed(tx, intent, card, browser))
    },
    { forBrowsers: true },
  ),
  route('POST', '/setup_intents/:id/cancel', canceling, async ({ tx, id, input }) => {
    const intent = await lockObject(tx, 'setup_intent', id)
    if (intent.status === 'succeeded' || intent.status === 'canceled') {
      const message = `You cannot cancel this SetupIntent because it has a status of ${intent.status}.`
      throw invalid(message, { code: 'setup_intent_unexpected_state' })
    }
    const cancellation_reason = input.cancellation_reason ?? null
    return publish(tx, 'setup_intent.canceled', {
      ...intent,
      cancellation_reason,
      next_action: null,
      status: 'canceled',
    })
  }),
]

async function confirmed(tx: Tx, intent: SetupIntent, card: PaymentMethod, browser = false) {
  const refusal = declineOf(card, tx.now)
  if (!refusal && asksCardholder(card))
    return save(
      tx,
      waitForCardholder(tx, { ...intent, last_setup_error: null, payment_method: card.id }),
    )
  const done = await setUp(tx, intent, card)
  if (!refusal) return done
  throw cardError(
    refusal,
    { setup_intent: shown(intentSeenBy(browser, done)), payment_method: shown(card) },
    true,
  )
}

const paymentFields = {
  ...confirmFields,
  off_session: flag.optional(),
  setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
}

export const paymentIntents = [
  retrieving('payment_intent'),
  route(
    'POST',
    '/payment_intents/:id/confirm',
    paymentFields,
    async (asking) => {
      const { tx, input, browser } = asking
      const { intent, card } = await toConfirm(asking, 'payment_intent')
      const setup_future_usage = input.setup_future_usage ?? intent.setup_future_usage
      const charged = await charge(tx, { ...intent, setup_future_usage }, card)
      await applyPayment(tx, charged)
      if (charged.status !== 'requires_payment_method') return intentSeenBy(browser, charged)
      const payment_intent = shown(intentSeenBy(browser, charged))
      throw cardError(problemOf(charged), { payment_intent, payment_method: shown(card) }, true)
    },
    { forBrowsers: true },
  ),
]
