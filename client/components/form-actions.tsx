import type { ReactNode } from 'react'

/** The buttons below a form, with the one that sends it last. On a phone they fill the line. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap-reverse justify-end gap-3 *:max-w-full max-sm:*:grow">
      {children}
    </div>
  )
}
