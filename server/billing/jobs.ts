import { job } from '../core/jobs.ts'
import * as comparison from './compare-with-provider.ts'
import * as contacts from './follow-owner.ts'
import { finishHandOverInTurn } from './hand-over.ts'
import { reconcile as reconcilePurchases } from './reconcile.ts'
import { removeCardLeft } from './remove-card.ts'
import { settleInTurn } from './settle.ts'
import { tellOfTransfer as mailBoth } from './tell-of-transfer.ts'
import { workOnEvent as applyEvent } from './work-on-event.ts'

export const workOnEvent = job('workOnEvent', applyEvent)

export const followOwner = job('followOwner', contacts.followOwner)

export const updateContacts = job('updateContacts', async ({ ownerId }, { store, jobs }) => {
  for (const { id } of await store.billing.listFollowing(ownerId))
    await jobs.add('followOwner', { subscriptionId: id })
})

export const settlePurchase = job('settlePurchase', ({ subscriptionId }, services) =>
  settleInTurn(subscriptionId, services),
)

export const removeCustomer = job('removeCustomer', ({ customerId }, { payments }) =>
  payments.removeCustomer(customerId),
)

export const compareWithProvider = job('compareWithProvider', (_payload, services) =>
  comparison.compareWithProvider(services),
)

export const comparePage = job('comparePage', comparison.comparePage)

export const finishHandOver = job('finishHandOver', ({ subscriptionId }, services) =>
  finishHandOverInTurn(subscriptionId, services),
)

export const removeCard = job('removeCard', removeCardLeft)

export const tellOfTransfer = job('tellOfTransfer', mailBoth)

export const reconcile = job('reconcile', ({ begunBefore }, services) =>
  reconcilePurchases(services, begunBefore === undefined ? undefined : new Date(begunBefore)),
)
