import { useEffect, useState } from 'react'
import { useQuery } from './use-query.ts'

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
const pause = 250

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
    // A search from a link fills the field. The field's own search must not undo later typing.
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
    change((params) => {
      params.delete('page')
      if (wanted) params.set(parameter, wanted)
      else params.delete(parameter)
    })
  }

  function clear() {
    setText('')
    lookFor('')
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
