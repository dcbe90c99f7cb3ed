import type { SubscriptionUser } from '#contract/entities.ts'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'

/** The people of the list on screen whom the user has selected. A person who leaves the list is no longer selected. */
export function useSelection(rows: SubscriptionUser[]) {
  const { user: self } = useSession()
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isAsked, setAsked] = useState(false)
  const canSelect = ({ id, is_owner }: SubscriptionUser) => !is_owner && id !== self.uid
  const selectable = rows.filter(canSelect)
  const selected = selectable.filter(({ id }) => ids.has(id))
  /** On a phone, the boxes appear when the user asks for them, and while somebody is selected. */
  const isSelecting = isAsked || selected.length > 0

  function select(id: string, isSelected: boolean) {
    const next = new Set(ids)
    if (isSelected) next.add(id)
    else next.delete(id)
    setIds(next)
  }

  function clear() {
    setIds(new Set())
    setAsked(false)
  }

  return {
    canSelect,
    selectable,
    selected,
    isAll: selectable.length > 0 && selected.length === selectable.length,
    isSelected: ({ id }: SubscriptionUser) => ids.has(id),
    select,
    selectAll: (isSelected: boolean) =>
      setIds(new Set(isSelected ? selectable.map(({ id }) => id) : [])),
    clear,
    isSelecting,
    toggleSelecting: () => (isSelecting ? clear() : setAsked(true)),
  }
}

export type Selection = ReturnType<typeof useSelection>
