import { limits, type PageSize } from '#config/limits.ts'
import { useRef } from 'react'
import { useLocation } from 'react-router'
import { useQuery } from './use-query.ts'

/** A list shows the pages from `from` to `page`. `inView` is the index of a row to scroll to. */
export type Pages = {
  page: number
  pageSize: PageSize
  from?: number | undefined
  inView?: number | undefined
}

const { defaultSize } = limits.pages
/** For calls that need only the newest rows of a list, or what every page of it contains. */
export const firstPage = { page: 1, pageSize: defaultSize }

const sizes: readonly PageSize[] = limits.pages.sizes

/** The shown pages of a list, kept in the URL, so that reloading and going back restore them. */
export function usePages(usual: PageSize = defaultSize) {
  const [params, change] = useQuery()
  const { state } = useLocation()
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1)
  const pageSize = sizes.find((size) => String(size) === params.get('size')) ?? usual

  const from = Math.min(page, Math.max(1, Math.trunc(Number(params.get('from'))) || page))
  const list = useRef<HTMLElement>(null)

  function turnTo({ page, pageSize, from = page, inView }: Pages) {
    change(
      (params) => {
        set(params, 'page', page, 1)
        set(params, 'from', from, page)
        set(params, 'size', pageSize, usual)
      },
      { inView },
    )
  }

  return { page, pageSize, from, list, inView: state?.inView as number | undefined, turnTo }
}

export type ShownPages = ReturnType<typeof usePages>

/** The page that has the first shown row after the page size has changed. */
export function resized({ page, from = page, pageSize }: Pages, newSize: PageSize): Pages {
  const first = (from - 1) * pageSize
  return { page: Math.floor(first / newSize) + 1, pageSize: newSize, inView: first % newSize }
}

function set(params: URLSearchParams, name: string, value: number, usual: number) {
  if (value === usual) params.delete(name)
  else params.set(name, String(value))
}
