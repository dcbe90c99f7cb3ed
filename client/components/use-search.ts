import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

export type Search = {
  /** What is being looked for. */
  search: string
  /** What has been typed; it is looked for when the typing stops. */
  text: string
  type: (text: string) => void
  clear: () => void
}

const parameter = 'search'
/** Milliseconds. */
const pause = 250

/** What a list is searched for, kept in the address beside its page. Another search starts at the first page. */
export function useSearch(): Search {
  const [params, setParams] = useSearchParams()
  const search = clean(params.get(parameter) ?? '')
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
    const next = new URLSearchParams(params)
    next.delete('page')
    if (wanted) next.set(parameter, wanted)
    else next.delete(parameter)
    setAsked(wanted)
    setParams(next, { replace: true })
  }

  function clear() {
    setText('')
    lookFor('')
  }

  return { search, text, type: setText, clear }
}

function clean(text: string) {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 100)
}
