import type { MouseEvent, ReactNode } from 'react'
import { ButtonLink } from './button.tsx'
import { useReturn } from './use-go-on.ts'

/** Leaves a form for the screen above it, by going back where possible. */
export function CancelLink({ to, children }: { to: string; children: ReactNode }) {
  const goBack = useReturn()

  function leave(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void goBack(to)
  }

  return (
    <ButtonLink to={to} size="large" onClick={leave}>
      {children}
    </ButtonLink>
  )
}
