import type { MessageKey } from '#locales/keys.ts'
import { useEffect, type ReactNode, type RefObject } from 'react'
import { useT } from '../platform/i18n.ts'
import { classes } from './classes.ts'
import { Bone, Skeleton } from './skeleton.tsx'
import type { ShownPages } from './use-query.ts'

export type Column<Row> = {
  title: MessageKey
  /** The title is only for screen readers, because the column explains itself. It isn't printed. */
  unnamed?: boolean
  /** Aligns the column to the end of the line, for numbers and for the last column. */
  end?: boolean
  /** The class names of the content of each cell. */
  look?: string
  cell: (row: Row) => ReactNode
}

type TableProps<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  pages: Pick<ShownPages, 'list' | 'inView'>
}

/**
 * Below 800 px, every row becomes a card that names the columns. The `role` attributes keep it a
 * table for screen readers. A click anywhere in a row opens its link with the class `rowLink`.
 */
// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- `display: block` takes the roles away in some browsers
export function Table<Row extends { id: string }>({
  caption,
  columns,
  rows,
  pages: { list, inView },
}: TableProps<Row>) {
  const t = useT()
  useEffect(() => {
    if (inView !== undefined && rows.length > inView)
      list.current?.children[inView]?.scrollIntoView({ block: 'nearest' })
  }, [rows, inView, list])
  return (
    <table role="table" className="w-full border-collapse max-fold:block">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="max-fold:sr-only">
        <tr role="row">
          {columns.map(({ title, unnamed, end }) => (
            <th
              key={title}
              role="columnheader"
              scope="col"
              className={classes(
                'px-3 py-2.5 text-label first:ps-5 last:pe-5 font-strong text-faint',
                end ? 'text-end' : 'text-start',
                unnamed && 'print:hidden',
              )}
            >
              {unnamed ? <span className="sr-only">{t(title)}</span> : t(title)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody
        ref={list as RefObject<HTMLTableSectionElement | null>}
        role="rowgroup"
        className="max-fold:block"
      >
        {rows.map((row) => (
          <tr
            key={row.id}
            role="row"
            className="relative break-inside-avoid border-t border-line transition-colors has-[.row-link]:hover:bg-sunken max-fold:block max-fold:px-4 max-fold:py-3 max-fold:first:border-t-0"
          >
            {columns.map(({ title, unnamed, end, look, cell }) => (
              <td
                key={title}
                role="cell"
                className={classes(
                  'py-3 max-fold:flex max-fold:gap-4 max-fold:py-1 fold:px-3 fold:first:ps-5 fold:last:pe-5',
                  end && 'text-end tabular-nums max-fold:text-start',
                  unnamed && 'print:hidden',
                )}
              >
                {!unnamed && (
                  <span aria-hidden className="w-26 shrink-0 text-small text-faint fold:hidden">
                    {t(title)}
                  </span>
                )}
                <div className={classes('min-w-0 max-fold:flex-1', look)}>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// oxlint-enable
/** The class names of a link that opens when the user clicks anywhere in its table row. */
export const rowLink =
  'row-link rounded-control font-medium text-accent-ink after:absolute after:inset-0'

export function TableSkeleton({ rows = 3 }: { rows?: number }) {
  return (
    <Skeleton className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-12 items-center gap-8 px-5">
          <Bone className="h-3.5 w-1/4" />
          <Bone className="h-3.5 w-1/5" />
          <Bone className="ms-auto h-3.5 w-16" />
        </div>
      ))}
    </Skeleton>
  )
}
