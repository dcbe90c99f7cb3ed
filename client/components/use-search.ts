import { useEffect, useState } from 'react'
import { useQuery } from './use-query.ts'

export type Search = {
  /** What is being looked for. */
  search: string
  /** The same, as calls take it. */
  input: { search?: string }
  /** What has been typed; it is looked for when the typing stops. */
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
    // A link led here: not what was typed, to which more may have been added meanwhile.
    if (search !== asked) setText(search)
  }

  useEffect(() => {
    if (clean(text) === search) return
    const timer = setTimeout(() => lookFor(clean(text)), pause)
    return () => clearTimeout(timer)
  })

  function lookFor(wanted: string) {
    // It may be on its way.
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

  return { search, input: search ? { search } : {}, text, type: setText, clear }
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
