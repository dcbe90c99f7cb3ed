import { newObject } from './new-object.ts'
import type { Event, EventType } from './wire.ts'

export const apiVersion = '2026-10-28.endive'

/** The API request that caused an event. Its fields are null if none did, as at a renewal. */
export type Asked = { id: string | null; idempotency_key: string | null }

export function newEvent(type: EventType, data: Event['data'], request: Asked, now: number): Event {
  return {
    ...newObject('event', 'evt', now),
    api_version: apiVersion,
    data,
    pending_webhooks: 1,
    request,
    type,
  }
}
