import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'

type PersonCellProps = {
  /** The person's id, which decides the colour of the face. */
  id: string
  /** Empty if only the address is known. */
  name: string
  email: string
  /** Chips behind the name. */
  children?: ReactNode
  /** Chips behind the address. */
  below?: ReactNode
  /** Follows the address, as far as there is room. */
  note?: string | undefined
  /** The class names of the face. */
  className?: string | undefined
}

/** A person on two lines: name and address. What has no room ends in an ellipsis. */
export function PersonCell(props: PersonCellProps) {
  const { id, name, email, children, below, note, className } = props
  const second = [name && email, note].filter(Boolean).join(' · ')
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span className={className}>
        <Avatar id={id} name={name || email} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-strong" title={name || email}>
            {name || email}
          </span>
          {children}
        </p>
        {second && (
          <p className="flex items-center gap-2 text-small text-soft narrow:mt-0.5">
            <span className="truncate" title={second}>
              {second}
            </span>
            {below}
          </p>
        )}
      </div>
    </div>
  )
}
