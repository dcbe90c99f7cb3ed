import { z } from 'zod'
import { invalid, missingParam } from '../rules/errors.ts'
import { page, pageParams } from '../api/pages.ts'
import { mergedMetadata, metadata, text, whole } from '../api/params.ts'
import { route } from '../api/route.ts'
import { attach, cardCalled, detach } from '../billing/attach.ts'
import { requireObject, save, lockObject } from '../store/objects.ts'
import { billingOf, cardFields, newCard } from './card-fields.ts'
import { newOtherMethod, otherFields } from './other-methods.ts'

const filters = { ...pageParams, customer: text.optional(), type: otherFields.type.optional() }
const changes = {
  billing_details: cardFields.billing_details,
  card: z.strictObject({ exp_month: whole, exp_year: whole }).optional(),
  metadata,
}

export const paymentMethods = [
  route(
    'POST',
    '/payment_methods',
    {
      ...cardFields,
      ...otherFields,
      card: cardFields.card.optional(),
      metadata,
    },
    ({ tx, input: { type, card, us_bank_account, ...given } }) => {
      const notes = given.metadata ?? {}
      if (type !== 'card') return newOtherMethod(tx, { ...given, type, us_bank_account }, notes)
      if (!card) throw missingParam('card')
      return newCard(tx, { ...given, type, card }, notes)
    },
    { forBrowsers: true },
  ),
  route('GET', '/payment_methods', filters, async ({ tx, input }) => {
    if (input.customer) await requireObject(tx, 'customer', input.customer, 'customer')
    const asked = { customer: '', ...input }
    const by = { customer: text, type: text }
    return page(tx, 'payment_method', '/v1/payment_methods', asked, by)
  }),
  route('GET', '/payment_methods/:id', {}, ({ tx, id }) => cardCalled(tx, id)),
  route('POST', '/payment_methods/:id', changes, async ({ tx, id, input }) => {
    const card = await lockObject(tx, 'payment_method', id)
    const billing_details = input.billing_details
      ? billingOf(input.billing_details, card.billing_details)
      : card.billing_details
    return save(tx, {
      ...card,
      billing_details,
      ...(card.card && { card: { ...card.card, ...input.card } }),
      metadata: mergedMetadata(card.metadata, input.metadata),
    })
  }),
  route('POST', '/payment_methods/:id/attach', { customer: text }, async ({ tx, id, input }) => {
    const customer = await lockObject(tx, 'customer', input.customer, 'customer')
    const card = await cardCalled(tx, id)
    return attach(tx, card, customer.id)
  }),
  route('POST', '/payment_methods/:id/detach', {}, async ({ tx, id }) => {
    const card = await lockObject(tx, 'payment_method', id)
    if (!card.customer) {
      throw invalid(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      )
    }
    return detach(tx, card)
  }),
]
