import { limits, type PageSize } from '#config/limits.ts'
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { useT } from '../i18n.ts'
import { Button } from './button.tsx'
import { resized, type Pages } from './use-pages.ts'

type PaginationProps = Pages & { total: number; turnTo: (pages: Pages) => void }

/** Under a list that comes in pages. */
export function Pagination({ page, pageSize, total, turnTo }: PaginationProps) {
  const t = useT()
  const sizeId = useId()
  const last = Math.max(1, Math.ceil(total / pageSize))
  const from = Math.min((page - 1) * pageSize + 1, total)
  const to = Math.min(page * pageSize, total)
  return (
    <nav
      aria-label={t('pages.label')}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line px-4 py-3 text-small text-soft tabular-nums sm:px-5"
    >
      <p aria-live="polite">{t('pages.showing', { from, to, total })}</p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 print:hidden">
        <div className="flex items-center gap-2">
          <label htmlFor={sizeId}>{t('pages.size')}</label>
          <span className="relative">
            <select
              id={sizeId}
              value={pageSize}
              onChange={({ target }) => turnTo(resized({ page, pageSize }, Number(target.value) as PageSize))}
              className="h-9 appearance-none rounded-control border border-line-strong bg-surface ps-3 pe-8 text-ink"
            >
              {limits.pages.sizes.map((size) => (
                <option key={size}>{size}</option>
              ))}
            </select>
            <ChevronDown aria-hidden className="pointer-events-none absolute end-2.5 top-1/2 size-3.5 -translate-y-1/2" />
          </span>
        </div>
        <div className="flex items-center gap-2">
          <Button
            size="icon"
            aria-label={t('pages.previous')}
            title={t('pages.previous')}
            disabled={page <= 1}
            onClick={() => turnTo({ page: page - 1, pageSize })}
            icon={<ChevronLeft />}
          />
          <span>{t('pages.page', { page, last })}</span>
          <Button
            size="icon"
            aria-label={t('pages.next')}
            title={t('pages.next')}
            disabled={page >= last}
            onClick={() => turnTo({ page: page + 1, pageSize })}
            icon={<ChevronRight />}
          />
        </div>
      </div>
    </nav>
  )
}
