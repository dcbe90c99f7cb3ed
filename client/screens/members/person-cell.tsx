import type { ReactNode } from 'react'
import { Avatar } from '../../components/avatar.tsx'
import { Address } from '../../components/breakable.tsx'
import { classes } from '../../components/classes.ts'

type PersonCellProps = {
  /** The person's id, which decides the colour of the face. */
  id: string
  /** Empty if only the address is known. */
  name: string
  email: string
  /** Follows the name. */
  children?: ReactNode
  /** Chips at the end of the line of the name. */
  role?: ReactNode
  /** Chips at the end of the line of the address. */
  state?: ReactNode
  /** Stands below the address. */
  note?: ReactNode
  /** The class names of the face. */
  className?: string | undefined
}

/**
 * A person on two lines: the name and the address, which may end in an ellipsis. On a small phone
 * the chips have a line of their own, and so they have without a name.
 */
export function PersonCell(props: PersonCellProps) {
  const { id, name, email, children, role, state, note, className } = props
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span className={className}>
        <Avatar id={id} name={name || email} />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 narrow:gap-y-0.5 compact:wide:flex">
        <p
          className={classes(
            'flex min-w-0 items-center gap-2 wide:leading-4.5 compact:wide:max-w-3/5 compact:wide:shrink-0',
            name ? widthBeside(role) : 'col-span-2',
          )}
        >
          {name ? (
            <span dir="auto" className="truncate font-strong" title={name}>
              {name}
            </span>
          ) : (
            <span className="min-w-0 font-strong wrap-anywhere">
              <Address text={email} />
            </span>
          )}
          {children}
        </p>
        {name && (
          <p
            className={classes(
              'min-w-0 truncate text-small text-soft wide:leading-4',
              widthBeside(state),
            )}
            title={email}
          >
            {email}
          </p>
        )}
        {note && (
          <p
            className={classes(
              'min-w-0 text-small wrap-anywhere text-soft wide:leading-4 compact:wide:sr-only',
              name ? 'col-span-2' : widthBeside(state),
            )}
          >
            {note}
          </p>
        )}
        <div
          className={
            name
              ? 'contents @max-[22rem]:col-span-2 @max-[22rem]:mt-1 @max-[22rem]:flex @max-[22rem]:flex-wrap @max-[22rem]:gap-1.5 @max-[22rem]:empty:hidden'
              : 'col-span-2 mt-1 flex flex-wrap gap-1.5 empty:hidden wide:hidden'
          }
        >
          {role && <span className="col-start-2 row-start-1 justify-self-end">{role}</span>}
          {state && <span className="col-start-2 row-start-2 justify-self-end">{state}</span>}
        </div>
      </div>
    </div>
  )
}

const widthBeside = (chips: ReactNode) =>
  chips ? 'col-start-1 @max-[22rem]:col-span-2' : 'col-span-2'
