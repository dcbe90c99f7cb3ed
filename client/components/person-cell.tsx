import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'

type PersonCellProps = {
  /** The person's id, which decides the colour of the face. */
  id: string
  /** Empty if only the address is known. */
  name: string
  email: string
  url?: string | null
  /** Chips behind the name. */
  children?: ReactNode
}

/** A person on two lines: name and address. What has no room ends in an ellipsis. */
export function PersonCell({ id, name, email, url, children }: PersonCellProps) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar {...{ id, url }} name={name || email} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-strong" title={name || email}>
            {name || email}
          </span>
          {children}
        </p>
        {name && (
          <p className="truncate text-small text-soft" title={email}>
            {email}
          </p>
        )}
      </div>
    </div>
  )
}
