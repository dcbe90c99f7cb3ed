import { useState, type ReactNode } from 'react'
import { useProject } from '../layouts/use-project.ts'
import { Canceled } from './canceled.tsx'

/** A screen that is closed once the project is canceled, unless that happens on the screen itself. */
export function OnlyActive({ children }: { children: ReactNode }) {
  const { isActive } = useProject()
  const [wasActive] = useState(isActive)
  return wasActive ? children : <Canceled />
}
