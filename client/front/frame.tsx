import { languages, type LanguageCode } from '#config/languages.ts'
import { product } from '#config/product.ts'
import { paths, type FrontPage } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { ReactNode } from 'react'
import { ButtonLink } from '../components/button.tsx'
import { Logo } from '../components/logo.tsx'
import { SkipLink } from '../components/skip-link.tsx'
import { SupportAddress } from '../components/support-address.tsx'
import { useT } from '../platform/i18n.ts'

export type Shown = { page: FrontPage; language: LanguageCode; way: string }

export const inset = 'mx-auto w-full max-w-page px-4 sm:px-6 lg:px-10'
const linkLook =
  'inline-flex min-h-11 items-center rounded-control underline-offset-3 hover:text-ink hover:underline'

/** The top bar and the footer around a page for visitors. */
export function Frame({ children, ...shown }: Shown & { children: ReactNode }) {
  const t = useT()
  const prices = ['product.plansAndPrices', pathOf('pricing', shown)] as const
  const help = ['product.help', product.helpUrl] as const
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="sticky top-0 z-20 border-b border-line bg-page">
        <div className={`${inset} flex h-14 items-center gap-3`}>
          <a href={pathOf('welcome', shown)} className="touch-target relative rounded-control">
            <Logo />
          </a>
          <nav aria-label={product.name} className="ms-5 flex gap-6 text-soft max-fold:hidden">
            <Links of={[prices, ['front.questions.title', '#questions'], help]} />
          </nav>
          <span className="ms-auto signed-in:hidden">
            <ButtonLink to={inApp(paths.signIn, shown)}>{t('auth.signIn')}</ButtonLink>
          </span>
          <span className="max-fold:hidden signed-in:ms-auto signed-in:inline">
            <WayIn {...shown} />
          </span>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <footer className="border-t border-line bg-sunken py-8 text-small text-soft">
        <div className={`${inset} flex flex-wrap items-center gap-x-6`}>
          <span className="me-auto text-ink max-sm:w-full">
            <Logo />
          </span>
          <Links
            of={[
              prices,
              help,
              ['front.status', product.statusUrl],
              ['product.terms', product.termsUrl],
              ['product.privacy', product.privacyUrl],
            ]}
          />
          <SupportAddress className={linkLook} />
        </div>
        <nav aria-label={t('common.language')} className={`${inset} flex flex-wrap gap-x-6`}>
          {Object.entries(languages).map(([code, { name }]) => (
            <a
              key={code}
              href={pathOf(shown.page, { ...shown, language: code as LanguageCode })}
              hrefLang={code}
              lang={code}
              aria-current={code === shown.language ? 'page' : undefined}
              className={`${linkLook} aria-[current]:font-semibold aria-[current]:text-ink`}
            >
              {name}
            </a>
          ))}
        </nav>
      </footer>
    </div>
  )
}

function Links({ of }: { of: (readonly [MessageKey, string | undefined])[] }) {
  const t = useT()
  return of.map(
    ([label, url]) =>
      url && (
        <a key={label} href={url} className={linkLook}>
          {t(label)}
        </a>
      ),
  )
}

type SectionProps = { title: string; intro?: string; id?: string; children: ReactNode }

export function Section({ title, intro, id, children }: SectionProps) {
  return (
    <section id={id} className="border-t border-line py-12 lg:py-18">
      <div className={inset}>
        <h2 className="text-section">{title}</h2>
        {intro && <p className="mt-2 max-w-[40em] text-lead text-soft">{intro}</p>}
        {children}
      </div>
    </section>
  )
}

/** Leads visitors to an account, and everybody else to their projects. */
export function WayIn({ as = 'auth.createAccount', ...shown }: Shown & { as?: MessageKey }) {
  const t = useT()
  return (
    <>
      <span className="contents signed-in:hidden">
        <ButtonLink to={inApp(paths.signUp, shown)} variant="primary">
          {t(as)}
        </ButtonLink>
      </span>
      <span className="hidden signed-in:contents">
        <ButtonLink to={paths.dashboard} variant="primary">
          {t('common.toProjects')}
        </ButtonLink>
      </span>
    </>
  )
}

/** A page in the language that is shown, with the way to pay. */
export function pathOf(page: FrontPage, { language, way }: Shown) {
  return `/${language}${paths[page]}${way && `?${way}`}`
}

/** A screen of the app, which a new visitor gets in the language of the page. */
export function inApp(path: string, { language }: Shown, query: Record<string, string> = {}) {
  return `${path}?${new URLSearchParams({ lang: language, ...query })}`
}
