import { useEffect } from 'react'
import { useNavigate } from 'react-router'

/** Goes to a path when what is on screen has been read; stays while there is none. `after` in milliseconds. */
export function useTimedReturn(to: string | undefined, after: number) {
  const navigate = useNavigate()
  useEffect(() => {
    if (to === undefined) return
    const timer = setTimeout(() => void navigate(to), after)
    return () => clearTimeout(timer)
  }, [to, after, navigate])
}
