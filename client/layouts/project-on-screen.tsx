import type { Subscription } from '#contract/entities.ts'
import { useMemo, type ReactNode } from 'react'
import { useWhenGone } from '../components/use-when-gone.ts'
import { ProjectProvider } from './use-project.ts'

/** Gives the project to the screens inside. */
export function ProjectOnScreen({
  subscription,
  children,
}: {
  subscription: Subscription
  children: ReactNode
}) {
  const whenGone = useWhenGone()
  const value = useMemo(() => ({ subscription, whenGone }), [subscription, whenGone])
  return <ProjectProvider value={value}>{children}</ProjectProvider>
}
