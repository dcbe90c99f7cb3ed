import { Suspense, type ReactNode } from 'react'
import { Outlet } from 'react-router'
import { useVisitor } from '../api/session.ts'
import { cardLook } from '../components/card.tsx'
import { classes } from '../components/classes.ts'
import { Mark } from '../components/logo.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { FullScreenSpinner } from '../components/spinner.tsx'
import { ThemeAndLanguage } from '../components/theme-and-language.tsx'

/** The frame of the screens for visitors: one card in the middle. */
export function AuthLayout() {
  const { status } = useVisitor()
  if (status === 'loading') return <FullScreenSpinner />
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <div className="visitor flex min-h-dvh flex-col px-4 pb-16">
        <header className="-mx-1 flex h-14 items-center justify-end gap-1">
          <ThemeAndLanguage />
        </header>
        <main className="mx-auto my-auto w-full max-w-auth py-4">
          <Outlet />
        </main>
      </div>
    </Suspense>
  )
}

type AuthCardProps = { title: string; intro?: ReactNode; children: ReactNode }

/** The product's mark, a title, and a card with one thing to do. */
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
