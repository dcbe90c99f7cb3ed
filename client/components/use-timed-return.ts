import { useEffect } from 'react'
import { useReturn } from './use-return.ts'

/** Leaves for a path when what is on screen has been read; stays while there is none. `after` in milliseconds. */
export function useTimedReturn(to: string | undefined, after: number) {
  const goBack = useReturn()
  useEffect(() => {
    if (to === undefined) return
    const timer = setTimeout(() => void goBack(to), after)
    return () => clearTimeout(timer)
  }, [to, after, goBack])
}
