import { takeCard } from './take-card.ts'
import { syncInvoice, syncPlan } from './sync.ts'
import { syncReturned, tellsOfReturn } from './sync-returned.ts'
import type { Services } from '../core/services.ts'

/**
 * Works on one event of the inbox: asks the provider how the object stands now, and writes that and the event's mark in one transaction,
 * so that repeated, late and reordered events change nothing. What fails is tried again, and stays in the inbox with its error.
 */
export async function workOnEvent({ eventId }: { eventId: string }, services: Services) {
  const event = await services.store.providerEvents.find(eventId)
  if (!event || event.processedAt) return
  const mark = async ({ store, now }: Services) =>
    store.providerEvents.markProcessed(event.id, now())
  try {
    if (event.objectType === 'subscription') await syncPlan(event.objectId, services, mark)
    else if (event.objectType === 'invoice') await syncInvoice(event.objectId, services, mark)
    else if (tellsOfReturn(event)) await syncReturned(event, services, mark)
    else if (event.type === 'payment_method.attached')
      await takeCard(event.objectId, services, mark)
    else await mark(services)
  } catch (error) {
    await services.store.providerEvents.markFailed(
      event.id,
      error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    )
    throw error
  }
}
