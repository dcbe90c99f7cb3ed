import { createStore } from './create-store.ts'
import { remember, remembered } from './storage.ts'

/** How high the rows of tables are on wide screens, in this browser. */
export const rowHeights = ['usual', 'compact'] as const
type RowHeight = (typeof rowHeights)[number]

const storageKey = 'rows'
const stored = () => rowHeights.find((height) => height === remembered(storageKey)) ?? 'usual'
const rows = createStore<RowHeight>(stored())
export const useRows = rows.use

// Only the other tabs hear of what one tab stores.
addEventListener('storage', () => show(stored()))
show(rows.get())

export function chooseRows(chosen: RowHeight) {
  remember(storageKey, chosen)
  show(chosen)
}

function show(height: RowHeight) {
  rows.set(height)
  document.documentElement.dataset['rows'] = height
}
