import { classes } from './classes.ts'

type AvatarProps = { name: string; url?: string | null | undefined; className?: string }

/** A person's picture or first letter. Screen readers skip it, because the name is beside it. */
export function Avatar({ name, url, className }: AvatarProps) {
  const look = classes(
    'grid shrink-0 place-items-center rounded-full bg-accent-soft font-bold text-accent-ink',
    className ?? 'size-8 text-small',
  )
  if (url)
    return (
      <img
        src={url}
        alt=""
        referrerPolicy="no-referrer"
        className={classes(look, 'object-cover')}
      />
    )
  return (
    <span aria-hidden className={look}>
      {Array.from(name.trim())[0]?.toUpperCase() ?? '?'}
    </span>
  )
}
