/** Stands in for storage that is off. */
const ofThisVisit = new Map<string, string>()

/** What this browser remembers. Where storage is off, a choice lasts for this visit. */
export function remembered(key: string) {
  try {
    return localStorage.getItem(key)
  } catch {
    return ofThisVisit.get(key) ?? null
  }
}

export function remember(key: string, value: string) {
  try {
    localStorage.setItem(key, value)
  } catch {
    ofThisVisit.set(key, value)
  }
}

export function forget(key: string) {
  try {
    localStorage.removeItem(key)
  } catch {
    ofThisVisit.delete(key)
  }
}
