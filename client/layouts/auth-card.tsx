import type { ReactNode } from 'react'
import { cardLook } from '../components/card.tsx'
import { classes } from '../components/classes.ts'
import { Mark } from '../components/logo.tsx'
import { PageTitle } from '../components/page-title.tsx'

type AuthCardProps = { title: string; intro?: ReactNode; children: ReactNode }

/** The middle of the auth layout: the mark, a title, and a card with the one thing to do. */
export function AuthCard({ title, intro, children }: AuthCardProps) {
  return (
    <>
      <div className="mb-6 grid justify-items-center gap-4 text-center wrap-anywhere">
        <Mark className="size-12" />
        <PageTitle title={title} intro={intro} className="justify-center!" />
      </div>
      <div className={classes(cardLook, 'grid gap-5 p-5 wrap-anywhere sm:p-6')}>{children}</div>
    </>
  )
}
