/** What was typed into the text fields of a form, by their names. */
export type Draft = Record<string, string>

const storageKey = 'drafts'

/** Keeps in this tab what a user had typed when their session ended. */
export function keepDraft(uid: string, form: string, draft: Draft) {
  write(uid, { ...draftsOf(uid), [form]: draft })
}

/** What the same user had typed into the form: given once. */
export function takeDraft(uid: string, form: string): Draft | undefined {
  const { [form]: draft, ...others } = draftsOf(uid)
  if (draft) write(uid, others)
  return draft
}

/** Forgets what everybody had typed, but for this user. */
export function forgetDrafts(uid = '') {
  write(uid, draftsOf(uid))
}

function draftsOf(uid: string): Record<string, Draft> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return kept.uid === uid ? kept.forms : {}
  } catch {
    return {}
  }
}

function write(uid: string, forms: Record<string, Draft>) {
  try {
    if (Object.keys(forms).length === 0) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify({ uid, forms }))
  } catch {
    // Storage may be off: then nothing is kept.
  }
}
