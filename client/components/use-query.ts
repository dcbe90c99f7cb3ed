import { limits, type PageSize } from '#config/limits.ts'
import { useRef, useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { focusMain } from '../platform/focus-main.ts'

/** The query, and a function that edits it in the browser's URL, unless the user has left. */
export function useQuery() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { pathname } = useLocation()

  function change(edit: (params: URLSearchParams) => void, state?: unknown) {
    if (window.location.pathname !== pathname) return
    const next = new URLSearchParams(window.location.search)
    edit(next)
    void navigate({ search: next.toString() }, { replace: true, state })
  }

  return [params, change] as const
}

/** A filter or sort order of a list, kept in the URL. A new choice returns to the first page. */
export function useChoice<Choice extends string>(parameter: string, choices: readonly Choice[]) {
  const [params, change] = useQuery()
  const chosen = choices.find((choice) => choice === params.get(parameter))

  /** An empty text removes the choice. */
  function choose(choice: string) {
    change((params) => filter(params, parameter, choice))
  }

  return [chosen, choose] as const
}

/** Sets a filter, or removes it if the text is empty. The list returns to its first page. */
function filter(params: URLSearchParams, name: string, value: string) {
  params.delete('page')
  set(params, name, value, '')
}

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
  const page = inBounds(params.get('page'), 1, limits.pages.last) ?? 1
  const pageSize = sizes.find((size) => String(size) === params.get('size')) ?? usual
  const from = inBounds(params.get('from'), page - limits.pages.together + 1, page) ?? page
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

/** A number from 1 on, which a link may have made as large or small as it likes. */
function inBounds(text: string | null, least: number, most: number) {
  const number = Math.trunc(Number(text))
  return number ? Math.min(most, Math.max(1, least, number)) : undefined
}

export type ShownPages = ReturnType<typeof usePages>

/** The page that has the first shown row after the page size has changed. */
export function resized({ page, from = page, pageSize }: Pages, newSize: PageSize): Pages {
  const first = (from - 1) * pageSize
  return { page: Math.floor(first / newSize) + 1, pageSize: newSize, inView: first % newSize }
}

function set<Value>(params: URLSearchParams, name: string, value: Value, usual: Value) {
  if (value === usual) params.delete(name)
  else params.set(name, String(value))
}

export type Search = {
  /** The text that the list is searched for, undefined if there is none. */
  search: string | undefined
  /** The text in the search field. It becomes `search` when the user stops typing. */
  text: string
  type: (text: string) => void
  clear: () => void
}

const parameter = 'search'
/** Milliseconds after the last key until the search starts. */
const pause = 50

/** The search of a list, kept in the URL. A new search returns to the first page. */
export function useSearch(): Search {
  const [params, change] = useQuery()
  const search = searchOf(params)
  const [text, setText] = useState(search)
  const [known, setKnown] = useState(search)
  const [asked, setAsked] = useState<string>()
  if (search !== known) {
    setKnown(search)
    setAsked(undefined)
    // A search from a link fills the field. A search that `lookFor` began must not undo later
    // typing.
    if (search !== asked) setText(search)
  }

  useEffect(() => {
    if (clean(text) === search) return
    const timer = setTimeout(() => lookFor(clean(text)), pause)
    return () => clearTimeout(timer)
  })

  function lookFor(wanted: string) {
    // The URL may already have the search before the screen is drawn with it.
    if (searchOf(new URLSearchParams(window.location.search)) === wanted) return
    setAsked(wanted)
    change((params) => filter(params, parameter, wanted))
  }

  /** Takes the focus from the button, which disappears as soon as the list shows something. */
  function clear() {
    setText('')
    lookFor('')
    focusMain()
  }

  return { search: search || undefined, text, type: setText, clear }
}

function searchOf(params: URLSearchParams) {
  return clean(params.get(parameter) ?? '')
}

function clean(text: string) {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 100)
}
