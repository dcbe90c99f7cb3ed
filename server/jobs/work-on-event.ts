import type { Services } from '../services.ts'
import { syncInvoice, syncPlan } from '../sync-with-provider.ts'

/**
 * Works on one event of the inbox: asks the provider how the object stands now and writes that, so that repeated, late and reordered
 * events change nothing.
 */
export async function workOnEvent({ eventId }: { eventId: string }, services: Services) {
  const event = await services.store.providerEvents.find(eventId)
  if (!event || event.processedAt) return
  if (event.objectType === 'subscription') await syncPlan(event.objectId, services)
  if (event.objectType === 'invoice') await syncInvoice(event.objectId, services)
  await services.store.providerEvents.markProcessed(event.id, services.now())
}
