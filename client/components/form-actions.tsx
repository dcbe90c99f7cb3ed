import type { MouseEvent, ReactNode } from 'react'
import { ButtonLink } from './button.tsx'
import { useReturn } from './use-go-on.ts'

/** The buttons below a form, the submit button last. On a phone they fill the width. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap-reverse justify-end gap-3 *:max-w-full max-sm:*:grow">
      {children}
    </div>
  )
}

/** A link from a form to the screen above it. It goes back in the history where possible. */
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
