import type { CSSProperties } from 'react'
import { classes } from './classes.ts'
import { initialOf } from './initial.ts'

type AvatarProps = {
  /** The person's id, which decides the colour. */
  id: string
  name: string
  url?: string | null | undefined
  className?: string
}

/** A person's picture or first letter. Screen readers skip it, because the name is beside it. */
export function Avatar({ id, name, url, className = 'size-8 text-small' }: AvatarProps) {
  if (url)
    return (
      <img
        src={url}
        alt=""
        referrerPolicy="no-referrer"
        className={classes('shrink-0 rounded-full object-cover', className)}
      />
    )
  return <Initial {...{ id, name }} className={classes('rounded-full', className)} />
}

type ProjectTileProps = { id: string; name: string; className?: string }

/** A project's first letter on a square. Screen readers skip it, because the name is beside it. */
export function ProjectTile({
  id,
  name,
  className = 'size-8.5 rounded-control',
}: ProjectTileProps) {
  return <Initial {...{ id, name, className }} />
}

function Initial({ id, name, className }: ProjectTileProps) {
  return (
    <span
      aria-hidden
      style={{ '--hue': hueOf(id) } as CSSProperties}
      className={classes('tinted grid shrink-0 place-items-center font-bold', className)}
    >
      {initialOf(name)}
    </span>
  )
}

const hues = 12

/** A hue in degrees that stays the same for an id. Hues that are nearer look alike. */
function hueOf(id: string) {
  const sum = Array.from(id).reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7)
  return ((sum % hues) * 360) / hues
}
