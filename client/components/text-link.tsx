import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { classes } from './classes.ts'

export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={classes(
        'rounded-control font-medium text-accent-ink underline-offset-3 hover:underline',
        className,
      )}
    />
  )
}
