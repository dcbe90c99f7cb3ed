import type { MessageKey } from '#locales/keys.ts'
import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import type { CallError } from '../api/post.ts'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { LiveProblem } from './message.tsx'
import { focusRow, TableSkeleton } from './table.tsx'

/** How many rows of a long list are shown at first. */
const most = 3

type FoldedListProps<Row> = {
  ref: RefObject<HTMLUListElement | null>
  title: string
  found: { error: CallError | null; refetch: () => Promise<unknown> }
  /** The title of a failure to load. */
  failed: MessageKey
  rows: Row[] | undefined
  /** What to say of a list in which nothing is yet. */
  empty?: string
  /** The list follows the head of its card, which has a line of its own. */
  isFirst?: boolean
  children: (row: Row) => ReactNode
}

/** The rows of a card. A button below a long list shows the rest of it. */
export function FoldedList<Row>(props: FoldedListProps<Row>) {
  const { ref, title, found, failed, rows, empty, isFirst, children } = props
  const { error, refetch } = found
  const t = useT()
  const [opened, setOpened] = useState<number>()
  const isFolded = opened === undefined && rows !== undefined && rows.length > most
  const line = isFirst ? '' : 'not-empty:border-t'
  // The pressed button is gone.
  useEffect(() => {
    if (opened !== undefined) focusRow(ref.current?.children[opened])
  }, [opened, ref])

  return (
    <>
      <LiveProblem error={error} failed={failed} retry={refetch} className="px-inset py-4" />
      {!rows && !error && <TableSkeleton />}
      <ul
        ref={ref}
        tabIndex={-1}
        aria-label={title}
        className={`divide-y divide-line border-line outline-none ${line}`}
      >
        {rows?.length === 0 && empty && <li className="px-inset py-4 text-soft">{empty}</li>}
        {(isFolded ? rows.slice(0, most) : rows)?.map(children)}
      </ul>
      {isFolded && (
        <div className="border-t border-line px-inset py-3">
          <Button onClick={() => setOpened(ref.current!.childElementCount)}>
            {t('pages.all', { total: rows.length })}
          </Button>
        </div>
      )}
    </>
  )
}
