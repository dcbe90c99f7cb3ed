import { z } from 'zod'
import { cardError } from '../rules/errors.ts'
import { shown } from '../api/shown.ts'
import { flag } from '../api/params.ts'
import { route } from '../api/route.ts'
import { charge } from '../billing/charge.ts'
import { applyPayment } from '../billing/apply-payment.ts'
import { problemOf } from '../billing/attempt.ts'
import { lockObject } from '../store/objects.ts'
import {
  cardToConfirm,
  confirmFields,
  intentFor,
  intentSeenBy,
  refuseFinished,
  retrieving,
  returnUrlOf,
} from './intent-fields.ts'

const fields = {
  ...confirmFields,
  off_session: flag.optional(),
  setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
}

export const paymentIntents = [
  retrieving('payment_intent'),
  route(
    'POST',
    '/payment_intents/:id/confirm',
    fields,
    async (asking) => {
      const { tx, input, browser } = asking
      const intent = await intentFor(lockObject, tx, 'payment_intent', asking)
      refuseFinished(intent)
      const returnUrl = returnUrlOf(tx, input.return_url) ?? intent.$hidden.returnUrl
      const setup_future_usage = input.setup_future_usage ?? intent.setup_future_usage
      const card = await cardToConfirm(tx, intent, input)
      const charged = await charge(
        tx,
        { ...intent, setup_future_usage, $hidden: { ...intent.$hidden, returnUrl } },
        card,
      )
      await applyPayment(tx, charged)
      if (charged.status !== 'requires_payment_method') return intentSeenBy(browser, charged)
      const payment_intent = shown(intentSeenBy(browser, charged))
      throw cardError(problemOf(charged), { payment_intent, payment_method: shown(card) }, true)
    },
    { forBrowsers: true },
  ),
]
