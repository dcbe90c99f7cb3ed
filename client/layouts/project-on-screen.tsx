import type { Subscription } from '#contract/entities.ts'
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react'
import { ProjectProvider } from './use-project.ts'

/** Gives the project to the screens inside. */
export function ProjectOnScreen({ subscription, children }: { subscription: Subscription; children: ReactNode }) {
  const state = useRef<{ isGone: boolean; act?: () => void }>({ isGone: false })
  useEffect(() => {
    const kept = state.current
    kept.isGone = false
    return () => {
      kept.isGone = true
      // Not before all of it is gone.
      if (kept.act) setTimeout(kept.act)
    }
  }, [])
  const whenGone = useCallback((act: () => void) => {
    if (state.current.isGone) act()
    else state.current.act = act
  }, [])
  const value = useMemo(() => ({ subscription, whenGone }), [subscription, whenGone])
  return <ProjectProvider value={value}>{children}</ProjectProvider>
}
