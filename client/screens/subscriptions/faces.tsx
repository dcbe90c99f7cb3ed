import type { Person } from '#contract/entities.ts'
import { Avatar } from '../../components/avatar.tsx'
import { classes } from '../../components/classes.ts'

type FacesProps = {
  people: Person[]
  /** How many people there are in all. */
  count: number
  /** How many circles fit, the one with the number of the others included. */
  most?: number
  className?: string
}

/** Overlapping faces. Screen readers skip them: how many people there are stands beside them. */
export function Faces({ people, count, most = 6, className = 'size-8 text-small' }: FacesProps) {
  const shown = people.slice(0, count > most ? most - 1 : most)
  const others = count - shown.length
  return (
    <span aria-hidden className="-ms-0.5 flex shrink-0 pe-2">
      {shown.map(({ id, name, avatar_url: url }) => (
        <span key={id} title={name} className={rim}>
          <Avatar {...{ id, name, url, className }} />
        </span>
      ))}
      {others > 0 && (
        <span className={rim}>
          <span
            className={classes(
              'grid place-items-center rounded-full bg-sunken font-strong text-soft tabular-nums',
              className,
            )}
          >
            {`+${others}`}
          </span>
        </span>
      )}
    </span>
  )
}

const rim = '-me-2 rounded-full border-2 border-surface'
