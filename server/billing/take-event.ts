import type { ProviderEvent } from '../providers/payments/payments.ts'
import type { Services } from '../services.ts'

/** Into the inbox: an event is stored once, with the job that works on it. */
export async function takeEvent(event: ProviderEvent, { transaction }: Services) {
  await transaction(async ({ store, jobs, now }) => {
    const isNew = await store.providerEvents.add({ ...event, now: now() })
    if (isNew) await jobs.add('workOnEvent', { eventId: event.id }, { key: event.id })
  })
}
