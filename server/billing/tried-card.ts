import { findPerson } from '../activity/record.ts'
import type { ProviderSubscription } from '../providers/payments/payments.ts'
import { isRefusal } from '../platform/refusal.ts'
import type { Services } from '../core/services.ts'
import type { BillingRow } from '../store/billing.ts'
import { isHandingOver } from './handing-over.ts'
import { keepCard, recordCard } from './record-card.ts'

type CardOf = { customerId: string; cardId: string }

/** Takes a card that has not worked off its customer again, unless it was there before. */
export async function dropCard({ customerId, cardId }: CardOf, { payments, store }: Services) {
  if (await store.cards.isKept(cardId)) return
  const isTheirs = (await payments.listCards(customerId)).some(
    ({ id, isDefault }) => id === cardId && !isDefault,
  )
  if (isTheirs)
    await payments.removeCard({ customerId, planId: undefined, cardId }).catch((error: unknown) => {
      if (!isRefusal(error, 'paymentMethodNotFound')) throw error
    })
}

/**
 * The card that a plan was begun with, or paid with: where it has worked it is kept, as the default; where a purchase came to nothing it goes.
 * The caller has the turn, or nobody has it.
 */
export async function settleCard(row: BillingRow, plan: ProviderSubscription, services: Services) {
  const { customerId, newCard, state } = plan
  if (newCard === undefined || row.status === 'canceled') return
  // The former owner's: it goes.
  if (await isHandingOver(row.id, services)) return
  if (state === 'active') return makeDefault(row, { customerId, cardId: newCard }, services)
  // With the purchase of a new project the whole customer is removed.
  if (state === 'ended' && row.status === 'active' && cameToNothing(plan))
    await dropCard({ customerId, cardId: newCard }, services)
}

function cameToNothing({ invoice }: ProviderSubscription) {
  return invoice?.reason === 'subscription_create' && invoice.status !== 'paid'
}

async function makeDefault(
  { id, ownerId, requestedBy }: BillingRow,
  { customerId, cardId }: CardOf,
  services: Services,
) {
  const found = await services.payments.findCard(cardId)
  if (!found) return
  await services.payments.setDefaultCard({ customerId, planId: undefined, cardId })
  await services.transaction(async (services) => {
    const by = await findPerson(found.addedBy ?? requestedBy ?? ownerId, services)
    const isNew = await keepCard({ card: found.card, by, subscriptionId: id }, services)
    if (!isNew)
      await recordCard(
        'defaultCardChanged',
        found.card.card,
        { by: await findPerson(requestedBy ?? ownerId, services), in: id },
        services,
      )
  })
}
