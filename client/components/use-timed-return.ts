import { useEffect } from 'react'
import { useIsHere } from './use-is-here.ts'
import { useReturn } from './use-return.ts'

/** Leaves for a path when what is on screen has been read; stays while there is none. `after` in milliseconds. */
export function useTimedReturn(to: string | undefined, after: number) {
  const goBack = useReturn()
  const isHere = useIsHere()
  useEffect(() => {
    if (to === undefined) return
    const timer = setTimeout(() => isHere() && void goBack(to), after)
    return () => clearTimeout(timer)
  }, [to, after, goBack, isHere])
}
