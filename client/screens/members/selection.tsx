import type { SubscriptionUser } from '#contract/entities.ts'
import { useState } from 'react'
import { X } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/fields.tsx'
import { LiveRegion } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { changes, fits, isHarmless, type Change } from './change-several.tsx'

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

type SelectionBarProps = {
  selection: Selection
  onChange: (change: Change) => void
  onClear: () => void
}

/** What can be done with the selected people. It floats below the list, so that no row moves. */
export function SelectionBar({ selection, onChange, onClear }: SelectionBarProps) {
  const t = useT()
  const { closed } = useProject()
  const { selected, isAll, selectAll, isSelecting } = selection
  const count = selected.length
  return (
    <>
      <LiveRegion className="sr-only">
        {count > 0 && t('users.selection.count', { count })}
      </LiveRegion>
      {isSelecting && (
        <section
          aria-label={t('users.selection.label')}
          className="sticky bottom-[calc(1rem+var(--offline-bar,0rem))] z-10 flex animate-appear flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line-strong bg-raised px-inset py-2.5 shadow-over print:hidden"
        >
          <div className="flex items-center gap-3">
            <Checkbox
              checked={isAll}
              ref={(box) => void (box && (box.indeterminate = count > 0 && !isAll))}
              onChange={({ target }) => selectAll(target.checked)}
            >
              <span className="sr-only">{t('users.selection.all')}</span>
            </Checkbox>
            <span className="font-strong tabular-nums">
              {t('users.selection.count', { count })}
            </span>
            <Button
              variant="quiet"
              size="icon"
              icon={<X />}
              aria-label={t('users.selection.clear')}
              title={t('users.selection.clear')}
              onClick={onClear}
            />
          </div>
          <div className="flex grow flex-wrap justify-end gap-2">
            {changes.map((change) => {
              if (closed && isHarmless(change)) return null
              const fitting = selected.filter((user) => fits(change, user)).length
              return (
                fitting > 0 && (
                  <Button
                    key={change}
                    variant={isHarmless(change) ? 'plain' : 'danger'}
                    onClick={() => onChange(change)}
                  >
                    {t(`users.selection.${change}.action`, { count: fitting })}
                  </Button>
                )
              )
            })}
          </div>
        </section>
      )}
    </>
  )
}
