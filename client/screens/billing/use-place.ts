import { languages } from '#config/languages.ts'
import type { PayerPlace } from '#contract/entities.ts'
import { useEffect, useState } from 'react'
import { useLanguage } from '../../i18n.ts'

/** Milliseconds. */
const pause = 400

/**
 * The payer's place: `typed` at once, `place` when the typing stops. Starts with the language's
 * country.
 */
export function usePlace() {
  const language = useLanguage()
  const [typed, setTyped] = useState<PayerPlace>({ country: languages[language].country })
  const [place, setPlace] = useState(typed)
  const isSettled = isSame(place, typed)

  useEffect(() => {
    if (isSettled) return
    const timer = setTimeout(() => setPlace(typed), pause)
    return () => clearTimeout(timer)
  }, [isSettled, typed])

  return {
    place,
    typed,
    isSettled,
    type: (next: PayerPlace) => setTyped((last) => (isSame(last, next) ? last : next)),
  }
}

function isSame(one: PayerPlace, other: PayerPlace) {
  return (
    one.country === other.country &&
    one.state === other.state &&
    one.postal_code === other.postal_code
  )
}
