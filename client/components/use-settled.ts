import { useEffect, useState } from 'react'

/** Returns `typed`, but takes over a change only after `pause` milliseconds without another one. */
export function useSettled<Value>(typed: Value, pause: number) {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pause)
    return () => clearTimeout(timer)
  }, [typed, pause])
  return settled
}
