import { limits, type PageSize } from '#config/limits.ts'
import type { MessageKey } from '#locales/keys.ts'
import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronsUpDown,
  type LucideIcon,
} from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import type { CallError } from '../api/post.ts'
import { useT } from '../platform/i18n.ts'
import { classes } from './classes.ts'
import { Bone, Skeleton } from './skeleton.tsx'
import { resized, type ShownPages } from './use-query.ts'
import { Button } from './button.tsx'
import { LiveProblem } from './message.tsx'

export type Column<Row> = {
  title: MessageKey
  /** The title is only for screen readers, because the column explains itself. It isn't printed. */
  unnamed?: boolean
  /** Replaces the title where the heads are on screen. */
  head?: ReactNode
  /** Makes the title a button that sorts. `direction` is undefined if another order is shown. */
  sort?: { direction: 'ascending' | 'descending' | undefined; change: () => void }
  /** Aligns the column to the end of the line, for numbers and for the last column. */
  end?: boolean
  /** The widest things that a cell can hold, with `Room` for their texts. They keep the width. */
  widest?: ReactNode
  /** The class names of each cell, such as its width. */
  look?: string
  /** Where a narrow row has the cell, such as `narrow:row-start-2`, or `narrow:hidden`. */
  folded?: string
  cell: (row: Row) => ReactNode
}

type TableProps<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  /** The columns of a narrow row's grid, such as `narrow:grid-cols-[auto_1fr]`. */
  folded: string
  pages: Pick<ShownPages, 'list' | 'inView'>
}

/**
 * Where the table has little room, a row is a grid of two lines, and only screen readers get the
 * names of the columns. A click anywhere in a row opens its link with the class `rowLink`.
 */
// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- `display: block` takes the roles away in some browsers
export function Table<Row extends { id: string }>(props: TableProps<Row>) {
  const { caption, columns, rows, folded } = props
  const { list, inView } = props.pages
  useEffect(() => {
    if (inView !== undefined && rows.length > inView)
      list.current?.children[inView]?.scrollIntoView({ block: 'nearest' })
  }, [rows, inView, list])
  return (
    <div className="@container">
      <table role="table" className="w-full border-collapse narrow:block">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="narrow:sr-only">
          <tr role="row" className="border-b border-line bg-tint">
            {columns.map(({ title, unnamed, head, end, sort, widest, look, folded }) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                aria-sort={sort && (sort.direction ?? 'none')}
                className={classes(
                  'px-3 py-2 text-label first:ps-inset last:pe-inset font-strong text-faint',
                  end ? 'text-end' : 'text-start',
                  unnamed && 'print:hidden',
                  folded === 'narrow:hidden' && folded,
                )}
              >
                <Head {...{ title, unnamed, head, sort }} />
                {widest && (
                  <span
                    aria-hidden
                    className={classes(
                      'invisible grid h-0 overflow-hidden text-body font-normal narrow:hidden',
                      look,
                    )}
                  >
                    {widest}
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          ref={list as RefObject<HTMLTableSectionElement | null>}
          role="rowgroup"
          className="narrow:block"
        >
          {rows.map((row) => (
            <tr
              key={row.id}
              role="row"
              className={classes(
                'relative break-inside-avoid border-t border-line first:border-t-0 transition-colors has-[.row-link]:hover:bg-tint',
                'narrow:grid narrow:items-center narrow:gap-x-3 narrow:gap-y-0.5 narrow:px-inset narrow:py-2.5',
                folded,
              )}
            >
              {columns.map(({ title, unnamed, end, look, folded, cell }) => (
                <td
                  key={title}
                  role="cell"
                  className={classes(
                    'wide:h-11 wide:px-3 wide:py-1 compact:wide:h-9 compact:wide:py-0 wide:first:ps-inset wide:last:pe-inset narrow:min-w-0',
                    end && 'text-end tabular-nums',
                    unnamed && 'print:hidden',
                    look,
                    folded,
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

// oxlint-enable
/** Takes as much room as a text, without showing it or reading it out. */
export function Room({ of }: { of: string }) {
  return <span data-text={of} className="before:content-[attr(data-text)]" />
}

/** The class names of a link that opens when the user clicks anywhere in its table row. */
export const rowLink =
  'row-link rounded-control font-medium text-accent-ink after:absolute after:inset-0'

/** On a narrow table, where nobody sees the heads, a head is only its title. */
function Head<Row>({ title, unnamed, head, sort }: Partial<Column<Row>> & { title: MessageKey }) {
  const t = useT()
  const text = <span className={unnamed ? 'sr-only' : undefined}>{t(title)}</span>
  if (head)
    return (
      <>
        <span className="narrow:hidden">{head}</span>
        <span className="sr-only wide:hidden">{t(title)}</span>
      </>
    )
  if (!sort) return text
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[
    sort.direction ?? 'none'
  ]
  return (
    <>
      <button
        type="button"
        onClick={sort.change}
        className="touch-target relative inline-flex items-center gap-1 rounded-control hover:text-ink narrow:hidden"
      >
        {t(title)}
        <Icon className={classes('size-3.5', sort.direction ? 'text-ink' : 'opacity-50')} />
      </button>
      <span className="wide:hidden">{t(title)}</span>
    </>
  )
}

export function TableSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <Skeleton className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-14 items-center gap-8 px-inset sm:h-11">
          <Bone className="h-3.5 w-1/4" />
          <Bone className="h-3.5 w-1/5" />
          <Bone className="ms-auto h-3.5 w-16" />
        </div>
      ))}
    </Skeleton>
  )
}

type PaginationProps = {
  pages: ShownPages
  /** From `usePagedCall`. `isShort` is true while the last page is missing. */
  found: { error: CallError | null; isShort: boolean; refetch: () => Promise<unknown> }
  total: number
}

/** Turns the pages of a list that has several. A narrow list has a button that adds the next page. */
export function Pagination({
  pages: { page, from, pageSize, turnTo, list },
  found: { error, isShort, refetch },
  total,
}: PaginationProps) {
  const t = useT()
  const sizeId = useId()
  const last = Math.max(1, Math.ceil(total / pageSize))
  const first = Math.min((from - 1) * pageSize + 1, total)
  const to = Math.min((isShort ? page - 1 : page) * pageSize, total)

  // Turns to the last page if the URL names a page beyond it.
  useEffect(() => {
    if (from > last && list.current?.childElementCount === 0) turnTo({ page: last, pageSize })
  })

  const awaited = useRef<number>(undefined)
  useEffect(() => {
    if (awaited.current === undefined || to - first < awaited.current) return
    focusRow(list.current?.children[awaited.current])
    awaited.current = undefined
  }, [first, to, list])

  function loadMore() {
    const isFull = page - from + 1 >= limits.pages.together
    awaited.current = isFull && !isShort ? 0 : to - first + 1
    if (isShort) void refetch()
    else turnTo({ from: isFull ? page + 1 : from, page: page + 1, pageSize })
  }

  const turn = (label: MessageKey, to: number, Icon: LucideIcon) => (
    <Button
      size="icon"
      aria-label={t(label)}
      title={t(label)}
      disabled={to < 1 || to > last}
      onClick={() => turnTo({ page: to, pageSize })}
      icon={<Icon className="rtl:-scale-x-100" />}
    />
  )

  if (total <= limits.pages.sizes[0]) return null
  return (
    <nav
      aria-label={t('pages.label')}
      className="@container border-t border-line text-small text-soft tabular-nums"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-inset py-3">
        <p aria-live="polite">{t('pages.showing', { from: first, to, total })}</p>
        <div className="grid w-full gap-3 empty:hidden wide:hidden print:hidden">
          <LiveProblem error={isShort ? error : null} />
          {to < total && (
            <Button size="large" busy={isShort && !error} onClick={loadMore}>
              {t('pages.more')}
            </Button>
          )}
          {from > 1 && (
            <Button size="large" onClick={() => turnTo({ page: from - 1, pageSize })}>
              {t('pages.previous')}
            </Button>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3 narrow:hidden print:hidden">
          <div className="flex items-center gap-2">
            <label htmlFor={sizeId}>{t('pages.size')}</label>
            <span className="relative">
              <select
                id={sizeId}
                value={pageSize}
                onChange={({ target }) =>
                  turnTo(resized({ page, from, pageSize }, Number(target.value) as PageSize))
                }
                className="h-9 appearance-none rounded-control border border-line-strong bg-surface ps-3 pe-8 text-ink"
              >
                {limits.pages.sizes.map((size) => (
                  <option key={size}>{size}</option>
                ))}
              </select>
              <ChevronDown className="pointer-events-none absolute end-2.5 top-1/2 size-3.5 -translate-y-1/2" />
            </span>
          </div>
          <div className="flex items-center gap-2">
            {turn('pages.previous', page - 1, ChevronLeft)}
            <span>{t('pages.page', { page, last })}</span>
            {turn('pages.next', page + 1, ChevronRight)}
          </div>
        </div>
      </div>
    </nav>
  )
}

/** Focuses the first new row, because the pressed button may be gone. */
export function focusRow(row: Element | undefined) {
  if (!(row instanceof HTMLElement)) return
  row.tabIndex = -1
  row.focus()
}
