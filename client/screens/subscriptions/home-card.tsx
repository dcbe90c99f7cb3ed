import type { ReactNode } from 'react'
import { TextLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { classes } from '../../components/classes.ts'

/** As many columns as fit. */
export const inColumns = 'grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))]'
export const inNarrowColumns = 'grid-cols-[repeat(auto-fit,minmax(min(12rem,100%),1fr))]'

type HomeCardProps = {
  title: string
  /** Where the whole of it is, and what the link says. */
  link?: { to: string; says: string } | false
  flush?: boolean
  className?: string
  children: ReactNode
}

/** A card of a project's home. Those in one row have one height. */
export function HomeCard({ title, link, flush = false, className, children }: HomeCardProps) {
  return (
    <Card
      title={title}
      action={
        link && (
          <TextLink to={link.to} className="-my-1.5 py-3 text-small print:hidden">
            {link.says}
          </TextLink>
        )
      }
      flush={flush}
      className={classes('grid min-w-0 grid-rows-[auto_1fr]', className)}
    >
      {children}
    </Card>
  )
}
