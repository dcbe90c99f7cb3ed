import type { ProviderEvent } from '../providers/payments/payments.ts'
import type { Services } from '../core/services.ts'

/** Into the inbox: an event is stored once, with the job that works on it. One about nothing that could be asked for is left out. */
export async function takeEvent({ objectId, ...event }: ProviderEvent, { transaction }: Services) {
  if (objectId === undefined) return
  await transaction(async ({ store, jobs, now }) => {
    const isNew = await store.providerEvents.add({ ...event, objectId, now: now() })
    if (isNew) await jobs.add('workOnEvent', { eventId: event.id }, { key: event.id })
  })
}
