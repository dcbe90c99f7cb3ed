import type { ReactNode } from 'react'

/** Rows of what is known: its name, its value, and at the end what can be done about it. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line border-t border-line">{children}</dl>
}

export function Fact({
  label,
  action,
  children,
}: {
  label: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex min-h-15 flex-wrap items-center gap-x-6 gap-y-1 px-4 py-3 sm:px-5">
      <dt className="w-full text-small text-soft sm:w-40">{label}</dt>
      <dd className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <span className="min-w-0 wrap-anywhere tabular-nums">{children}</span>
        {action}
      </dd>
    </div>
  )
}
