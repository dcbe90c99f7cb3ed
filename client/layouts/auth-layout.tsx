import { product } from '#config/product.ts'
import { paths } from '#contract/paths.ts'
import type { CallOutput } from '#contract/calls.ts'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { useVisitor } from '../api/session.ts'
import { cardLook, classes } from '../components/classes.ts'
import { PageTitle } from '../components/page-title.tsx'
import { FullScreenSpinner, Spinner } from '../components/spinner.tsx'
import { SupportAddress } from '../components/support-address.tsx'
import { LanguageSelector, ThemeToggle } from '../components/theme-and-language.tsx'
import { loadAllTexts, useT } from '../platform/i18n.ts'
import { later } from '../platform/later.ts'
import { Logo } from '../components/logo.tsx'
import { CallError } from '../api/post.ts'
import { onSecondStepNeeded } from '../api/second-step.ts'

const SecondStep = later(async () => {
  const [{ SecondStep }] = await Promise.all([import('./second-step.tsx'), loadAllTexts()])
  return SecondStep
})

/** The frame of the screens for visitors, which draw their own `main`. */
export function AuthLayout() {
  const { status } = useVisitor()
  if (status === 'loading') return <FullScreenSpinner />
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <div className="relative flex min-h-dvh flex-col">
        <header className="absolute end-3 top-0 z-10 flex h-14 items-center gap-1">
          <ThemeToggle />
          <LanguageSelector />
        </header>
        <Outlet />
      </div>
    </Suspense>
  )
}

type AuthCardProps = { title: string; intro?: ReactNode; front?: boolean; children: ReactNode }

/**
 * The product's mark and a card with one thing to do. It hangs from the top, so that a message that
 * comes or goes moves nothing above it. `front` adds what the product is. What was typed stays while
 * a sign-in waits for its second step.
 */
export function AuthCard({ title, intro, front = false, children }: AuthCardProps) {
  const t = useT()
  const secondStep = useSecondStep()
  return (
    <div className={classes('grid flex-1', front && 'lg:grid-cols-[1fr_minmax(35rem,45%)]')}>
      {front && <Pitch />}
      <div className="flex flex-col px-4 pt-[max(4.5rem,12svh)] lg:pt-[max(4.5rem,18svh)]">
        <main className="mx-auto w-full max-w-auth">
          <div className={classes('mb-6 grid justify-items-center gap-2', front && 'lg:hidden')}>
            <FrontLink />
            {front && <p className="text-center text-soft">{t(product.tagline)}</p>}
          </div>
          <div className={classes(cardLook, 'grid gap-5 p-5 wrap-anywhere sm:p-6')}>
            {secondStep ? (
              <Suspense fallback={<Spinner className="min-h-80" />}>
                <SecondStep {...secondStep} />
              </Suspense>
            ) : (
              <PageTitle title={title} intro={intro} />
            )}
            <div className={secondStep ? 'hidden' : 'contents'}>{children}</div>
          </div>
        </main>
        <AuthFooter isFront={front} />
      </div>
    </div>
  )
}

const links = [
  ['product.help', product.helpUrl],
  ['product.terms', product.termsUrl],
  ['product.privacy', product.privacyUrl],
] as const
const footerLink =
  'inline-flex min-h-11 items-center rounded-control underline-offset-3 hover:text-ink hover:underline'

/**
 * What a visitor may look for elsewhere, where the configuration has it. Wide screens have the link
 * to the plans beside the form if it has a `front`.
 */
function AuthFooter({ isFront }: { isFront: boolean }) {
  const t = useT()
  return (
    <footer className="mt-auto flex flex-wrap justify-center gap-x-5 px-4 pt-10 pb-3 text-small text-soft">
      {product.frontOfHouse && (
        <a href={paths.pricing} className={classes(footerLink, isFront && 'lg:hidden')}>
          {t('product.plansAndPrices')}
        </a>
      )}
      {links.map(
        ([label, url]) =>
          url && (
            <a key={label} href={url} className={footerLink}>
              {t(label)}
            </a>
          ),
      )}
      <SupportAddress className={footerLink} />
    </footer>
  )
}

/**
 * What the product is, beside the forms for visitors, from the height at which their card begins.
 * Phones and tablets have no room for it.
 */
function Pitch() {
  const t = useT()
  return (
    <aside className="flex flex-col deepening px-[max(4rem,calc(50%-15rem))] pb-16 text-on-tile max-lg:hidden forced-colors:border-e">
      <div className="flex h-[max(4.5rem,18svh)] shrink-0 items-center">
        <FrontLink />
      </div>
      <div>
        <p className="max-w-100 text-pitch text-balance">{t(product.tagline)}</p>
        <ul className="mt-6 grid list-disc gap-2.5 ps-5 text-lead">
          <li>{t('product.facts.invite')}</li>
          <li>{t('product.facts.charges')}</li>
          <li>{t('product.facts.roles')}</li>
        </ul>
      </div>
      <p className="mt-auto pt-10">
        {product.frontOfHouse && (
          <a
            href={paths.pricing}
            className="rounded-control font-strong underline decoration-current/40 underline-offset-4 hover:decoration-current"
          >
            {t('product.seePlans')}
          </a>
        )}
      </p>
    </aside>
  )
}

/** The mark leads to what the product is. */
function FrontLink() {
  return (
    <a href={product.frontOfHouse ? paths.welcome : paths.home} className="rounded-control">
      <Logo />
    </a>
  )
}

type Passed = CallOutput<'finishSignIn'>
type Waiting = {
  refusal: CallError
  resolve: (passed: Passed) => void
  reject: (refusal: CallError) => void
}

/**
 * Returns what the second step needs, while a sign-in waits for it. The step is an entry of its own
 * in the history: every end of it goes back, and going back ends it.
 */
function useSecondStep() {
  const [waiting, setWaiting] = useState<Waiting>()
  const end = useRef<Passed | CallError>(undefined)
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()

  useEffect(
    () =>
      onSecondStepNeeded((refusal) => {
        end.current = refusal
        void navigate(pathname + search, { state })
        return new Promise((resolve, reject) => setWaiting({ refusal, resolve, reject }))
      }),
    [pathname, search, state, navigate],
  )

  useEffect(() => {
    if (!waiting) return
    const { resolve, reject } = waiting
    function settle() {
      setWaiting(undefined)
      if (end.current instanceof CallError) reject(end.current)
      else resolve(end.current!)
    }
    window.addEventListener('popstate', settle)
    return () => {
      window.removeEventListener('popstate', settle)
      // What had the focus is gone.
      document.querySelector('h1')?.focus({ preventScroll: true })
    }
  }, [waiting])

  function leave(passed?: Passed | CallError) {
    end.current = passed ?? end.current
    void navigate(-1)
  }

  return waiting && { refusal: waiting.refusal, onEnd: leave }
}
