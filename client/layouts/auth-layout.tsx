import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { useVisitor } from '../api/session.ts'
import { FullScreenSpinner } from '../components/spinner.tsx'
import { ThemeAndLanguage } from '../components/theme-and-language.tsx'

/** The frame of the screens that are open to visitors: one thing at a time, in the middle. */
export function AuthLayout() {
  const { status } = useVisitor()
  if (status === 'loading') return <FullScreenSpinner />
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <div className="flex min-h-dvh flex-col px-4 pb-16">
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
