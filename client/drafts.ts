/** The fields of a form by their names: what is in each, or which of its boxes are checked. */
export type FieldValues = Record<string, string[]>

type Kept = { uid: string; forms: Record<string, FieldValues> }

const storageKey = 'drafts'

/** Keeps in this tab what somebody had typed when their session ended. */
export function keepDraft(uid: string, form: string, values: FieldValues) {
  write({ uid, forms: { ...draftsOf(uid), [form]: values } })
}

/** What the same person had typed into the form: given once. */
export function takeDraft(uid: string, form: string): FieldValues | undefined {
  const { [form]: values, ...forms } = draftsOf(uid)
  if (values) write({ uid, forms })
  return values
}

export function forgetDrafts(isOf: (uid: string) => boolean = () => true) {
  const kept = read()
  if (kept && isOf(kept.uid)) write(undefined)
}

function draftsOf(uid: string) {
  const kept = read()
  return kept?.uid === uid ? kept.forms : {}
}

/** Storage may be off: nothing is kept then. */
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
    // As if there had been nothing to keep.
  }
}
