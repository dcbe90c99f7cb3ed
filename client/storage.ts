/** What this browser remembers from visit to visit. Storage may be off; a choice then lasts for this visit. */
export function remembered(key: string) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function remember(key: string, value: string) {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Nothing to be done, and nothing lost but the memory.
  }
}
