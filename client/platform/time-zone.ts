import { createStore } from './create-store.ts'
import { remember, remembered } from './storage.ts'

const storageKey = 'time-zone'
const chosen = createStore(stored())

/** The time zone that somebody chose in this browser; undefined: the browser's own. */
export const useTimeZone = chosen.use

export const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

// Only the other tabs hear of what one tab stores.
addEventListener('storage', () => chosen.set(stored()))

export function chooseTimeZone(zone: string | undefined) {
  remember(storageKey, zone ?? '')
  chosen.set(zone)
}

function stored() {
  const zone = remembered(storageKey)
  return zone && Intl.supportedValuesOf('timeZone').includes(zone) ? zone : undefined
}
