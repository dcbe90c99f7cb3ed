import { limits, type PageSize } from '#config/limits.ts'
import type { MessageKey } from '#locales/keys.ts'
import { ChevronDown, ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { CallError } from '../api/post.ts'
import { useT } from '../platform/i18n.ts'
import { Button } from './button.tsx'
import { LiveRegion, Problem } from './message.tsx'
import { resized, type ShownPages } from './use-query.ts'

type PaginationProps = {
  pages: ShownPages
  /** From `usePagedCall`. `isShort` is true while the last page is missing. */
  found: { error: CallError | null; isShort: boolean; refetch: () => Promise<unknown> }
  total: number
}

/** Turns the pages of a list. On a narrow screen, a button adds the next page below the rows. */
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
    awaited.current = to - first + 1
    if (isShort) void refetch()
    else turnTo({ from, page: page + 1, pageSize })
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

  return (
    <nav
      aria-label={t('pages.label')}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line px-4 py-3 text-small text-soft tabular-nums sm:px-5"
    >
      <p aria-live="polite">{t('pages.showing', { from: first, to, total })}</p>
      <div className="grid w-full gap-3 empty:hidden fold:hidden print:hidden">
        <LiveRegion>{isShort && error && <Problem error={error} />}</LiveRegion>
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
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 max-fold:hidden print:hidden">
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
    </nav>
  )
}

/** Focuses the first new row, because the pressed button may be gone. */
function focusRow(row: Element | undefined) {
  if (!(row instanceof HTMLElement)) return
  row.tabIndex = -1
  row.focus()
}
