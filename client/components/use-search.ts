import { useEffect, useState } from 'react'
import { useQuery } from './use-query.ts'

export type Search = {
  /** The text that the list is narrowed to, if there is one. */
  search: string | undefined
  /** The text in the field. It becomes `search` when the typing stops. */
  text: string
  type: (text: string) => void
  clear: () => void
}

const parameter = 'search'
/** Milliseconds. */
const pause = 250

/** The search of a list, kept in the address. Another search starts at the first page. */
export function useSearch(): Search {
  const [params, change] = useQuery()
  const search = searchOf(params)
  const [text, setText] = useState(search)
  const [known, setKnown] = useState(search)
  const [asked, setAsked] = useState<string>()
  if (search !== known) {
    setKnown(search)
    setAsked(undefined)
    // A link changed the search. A change from the field itself must not undo later typing.
    if (search !== asked) setText(search)
  }

  useEffect(() => {
    if (clean(text) === search) return
    const timer = setTimeout(() => lookFor(clean(text)), pause)
    return () => clearTimeout(timer)
  })

  function lookFor(wanted: string) {
    // The change may be made but not drawn yet.
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
