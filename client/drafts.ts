/** What was typed into the text fields of a form, by their names. */
export type Draft = Record<string, string>

type Kept = { uid: string; forms: Record<string, Draft> }

const storageKey = 'drafts'

/** Keeps in this tab what a user had typed when their session ended. */
export function keepDraft(uid: string, form: string, draft: Draft) {
  write({ uid, forms: { ...draftsOf(uid), [form]: draft } })
}

/** What the same user had typed into the form: given once. */
export function takeDraft(uid: string, form: string): Draft | undefined {
  const { [form]: draft, ...forms } = draftsOf(uid)
  if (draft) write({ uid, forms })
  return draft
}

export function forgetDrafts(isOf: (uid: string) => boolean = () => true) {
  const kept = read()
  if (kept && isOf(kept.uid)) write(undefined)
}

function draftsOf(uid: string) {
  const kept = read()
  return kept?.uid === uid ? kept.forms : {}
}

/** Storage may be off: then nothing is kept. */
function read(): Kept | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function write(kept: Kept | undefined) {
  try {
    if (kept) sessionStorage.setItem(storageKey, JSON.stringify(kept))
    else sessionStorage.removeItem(storageKey)
  } catch {
    // Nothing is kept.
  }
}
