/** Replaces `localStorage` if the browser blocks it. */
const ofThisVisit = new Map<string, string>()

/** Reads a choice stored in this browser, or by this page if the browser blocks storage. */
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

/**
 * The key in `sessionStorage` for drafts that name a payer with address and phone. They end with
 * the session, while the user finds other drafts again after the next sign-in.
 */
export const payerDrafts = 'payer-drafts'

export function forgetPayerDrafts() {
  try {
    sessionStorage.removeItem(payerDrafts)
  } catch {
    // If the browser blocks storage, drafts are not kept.
  }
}
