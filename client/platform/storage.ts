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
 * The keys for drafts of forms. Those that name a payer with address and phone end with the session,
 * while the user finds others again after the next sign-in.
 */
export const draftStores = { ofPayers: 'payer-drafts', ofPeople: 'people-drafts', others: 'drafts' }

/** All tabs have the invited people, because a mailed link opens a tab of its own. */
export function storageOf(store: string) {
  return store === draftStores.ofPeople ? localStorage : sessionStorage
}

export function forgetDrafts(stores = Object.values(draftStores)) {
  try {
    for (const store of stores) storageOf(store).removeItem(store)
  } catch {
    // If the browser blocks storage, drafts are not kept.
  }
}
