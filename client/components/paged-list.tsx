import type { MessageKey } from '#locales/keys.ts'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallError } from '../api/post.ts'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { Card, EmptyState } from './card.tsx'
import { ListTools, SearchField } from './list-tools.tsx'
import { LiveRegion, Problem } from './message.tsx'
import { Pagination, Table, TableSkeleton, type Column } from './table.tsx'
import type { Search, ShownPages } from './use-query.ts'

type PagedListProps<Row> = {
  title: string
  search?: (Search & { label: string }) | undefined
  /** Beside the search: each a `ListChoice`. */
  choices?: ReactNode
  /** From `usePagedCall`. */
  found: {
    data: { total: number } | undefined
    error: CallError | null
    isShort: boolean
    refetch: () => Promise<unknown>
  }
  rows: Row[] | undefined
  pages: ShownPages
  columns: Column<Row>[]
  folded: string
  /** How many rows stand in place of those that load. */
  bones?: number
  /** The title of a failure to load. */
  failed: MessageKey
  /** What to say if nothing fits. Nothing while the list shows everything. */
  noMatch: { icon?: ReactNode; title: string; text: string } | '' | false | undefined
  /** What leads back from there, if that is not to clear the search. */
  showAll?: { label: string; onClick: () => void }
  /** Takes the place of the pagination. */
  end?: ReactNode
  /** What to say of a list in which nothing is yet. */
  empty?: { icon: ReactNode; title: string; text: string; action?: ReactNode }
}

/** A list in pages with what narrows it, and what it says while it loads, fails or is empty. */
export function PagedList<Row extends { id: string }>(props: PagedListProps<Row>) {
  const { title, search, choices, found, rows, pages, columns, folded, failed } = props
  const { bones = 6, noMatch, showAll, end, empty } = props
  const t = useT()
  const { data, error, refetch } = found
  const isEmpty = data?.total === 0
  const isUnused = isEmpty && !noMatch
  return (
    <Card flush>
      {!isUnused && (search || choices) && (
        <ListTools>
          {search && (
            <SearchField label={search.label} search={search} className="w-full wide:w-72" />
          )}
          {choices}
        </ListTools>
      )}
      {error && !data && (
        <div className="p-inset">
          <Problem error={error} failed={failed} retry={refetch} />
        </div>
      )}
      {!data && !error && <TableSkeleton rows={bones} />}
      <LiveRegion>
        {isEmpty && noMatch && (
          <EmptyState
            bare
            icon={noMatch.icon ?? <SearchX />}
            title={noMatch.title}
            action={
              <Button onClick={showAll?.onClick ?? search?.clear}>
                {showAll?.label ?? t('users.clearSearch')}
              </Button>
            }
          >
            {noMatch.text}
          </EmptyState>
        )}
      </LiveRegion>
      {isUnused && empty && (
        <EmptyState bare icon={empty.icon} title={empty.title} action={empty.action}>
          {empty.text}
        </EmptyState>
      )}
      {data && !isEmpty && rows && (
        <>
          <Table {...{ columns, rows, folded, pages }} caption={title} />
          {end || <Pagination {...{ pages, found }} total={data.total} />}
        </>
      )}
    </Card>
  )
}
