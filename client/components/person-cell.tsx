import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'
import { classes } from './classes.ts'

type PersonCellProps = {
  /** The person's id, which decides the colour of the face. */
  id: string
  /** Empty if only the address is known. */
  name: string
  email: string
  url?: string | null
  /** Chips behind the name. */
  children?: ReactNode
  /** Follows the address, as far as there is room. */
  note?: string | undefined
  /** The class names of the face. */
  className?: string | undefined
}

/** A person on two lines: name and address. What has no room ends in an ellipsis, then the face goes. */
export function PersonCell({ id, name, email, url, children, note, className }: PersonCellProps) {
  const second = [name && email, note].filter(Boolean).join(' · ')
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span className={classes('@max-[20rem]:hidden', className)}>
        <Avatar {...{ id, url }} name={name || email} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-strong" title={name || email}>
            {name || email}
          </span>
          {children}
        </p>
        {second && (
          <p className="truncate text-small text-soft" title={second}>
            {second}
          </p>
        )}
      </div>
    </div>
  )
}
