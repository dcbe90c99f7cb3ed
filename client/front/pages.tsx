import { fallbackLanguage } from '#config/languages.ts'
import { plans, type Plan } from '#config/plans.ts'
import { paths } from '#contract/paths.ts'
import { formatMoney } from '#contract/money.ts'
import { perInterval } from '#contract/price-words.ts'
import { nearestPrice } from '#contract/prices.ts'
import type { Translate } from '#locales/translator.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { PlanGrid } from '../components/plan-grid.tsx'
import { withChoice } from '../components/price-choice.ts'
import { useT } from '../platform/i18n.ts'
import { Frame, inApp, inset, pathOf, Section, WayIn, type Shown } from './frame.tsx'
import { cardLook, classes } from '../components/classes.ts'

/** What the product is, for somebody who has never seen it. */
export function Welcome(shown: Shown) {
  const t = useT()
  const free = (plans as readonly Plan[]).find((plan) => plan.free && !plan.legacy)
  return (
    <Frame {...shown}>
      <div className="bg-[radial-gradient(60rem_28rem_at_78%_10%,var(--color-accent-soft),transparent_70%)] pt-10 pb-12 lg:pt-18 lg:pb-20">
        <div className={`${inset} grid items-center gap-10 lg:grid-cols-[5fr_7fr] lg:gap-14`}>
          <div>
            <h1 className="text-pitch lg:text-headline">{t('front.headline')}</h1>
            <p className="mt-5 mb-7 max-w-[34em] text-lead text-soft">{t('front.lead')}</p>
            <div className="flex flex-wrap gap-3 max-sm:[&_a]:grow">
              <WayIn {...shown} as="front.start" />
              <ButtonLink to={pathOf('pricing', shown)}>{t('product.seePlans')}</ButtonLink>
            </div>
            {free && (
              <p className="mt-4 text-small text-faint">{t('front.free', { seats: free.seats })}</p>
            )}
          </div>
          <Picture language={shown.language} />
        </div>
      </div>
      <Section title={t('front.facts.title')} intro={t('front.facts.intro')}>
        <Facts />
      </Section>
      <Section title={t('pricing.title')} intro={t('pricing.note')}>
        <Plans {...shown} />
      </Section>
      <Questions />
      <Section title={t('front.last.title')} intro={t('front.last.text')}>
        <div className="mt-6">
          <WayIn {...shown} />
        </div>
      </Section>
    </Frame>
  )
}

/** The plans and what they cost. */
export function Pricing(shown: Shown) {
  const t = useT()
  return (
    <Frame {...shown}>
      <div className={`${inset} pt-10 pb-12 lg:pt-14 lg:pb-18`}>
        <h1 className="text-center text-pitch">{t('pricing.title')}</h1>
        <p className="mt-3 text-center text-lead text-soft">{t('pricing.note')}</p>
        <Plans {...shown} />
      </div>
      <Questions />
    </Frame>
  )
}

/** The grid of plans. Without the script, a button shows the interval and currency that were chosen. */
function Plans(shown: Shown) {
  const t = useT()
  const query = new URLSearchParams(shown.way)
  const nextOf = (id: string) => withChoice(paths.createPlan, query, id)
  return (
    <form method="get" className="mt-9 grid gap-5">
      <PlanGrid
        isCentered={shown.page === 'pricing'}
        linkTo={({ id }) => ({ to: inApp(paths.signUp, shown, { next: nextOf(id) }) })}
      />
      {shown.way && (
        <noscript>
          <Button type="submit">{t('front.show')}</Button>
        </noscript>
      )}
    </form>
  )
}

/** The home of a project, as it looks on the visitor's screen. */
function Picture({ language }: Pick<Shown, 'language'>) {
  const t = useT()
  const isDrawn = drawn.some((file) => file.includes(`/${language}/`))
  const fileOf = (name: string) =>
    `/front/${isDrawn ? language : fallbackLanguage}/home-${name}.webp`
  const dark = '(prefers-color-scheme: dark)'
  const phone = '(max-width: 639px)'
  const small = { width: 780, height: 1000 }
  const large = { width: 1280, height: 800 }
  // The script sets `media` by a chosen theme.
  const sources = [
    ['phone-dark', `${phone} and ${dark}`, phone, small],
    ['phone-light', phone, undefined, small],
    ['wide-dark', dark, 'all', large],
  ] as const
  return (
    <picture>
      {sources.map(([name, media, inDark, size]) => (
        <source key={name} srcSet={fileOf(name)} media={media} data-dark={inDark} {...size} />
      ))}
      <img
        src={fileOf('wide-light')}
        {...large}
        fetchPriority="high"
        alt={t('front.picture')}
        className="mx-auto h-auto w-full rounded-card border border-line shadow-over max-sm:max-w-85"
      />
    </picture>
  )
}

/** A language that was added since `npm run pictures` drew them has none. */
const drawn = Object.keys(import.meta.glob('../public/front/*/*.webp'))

const questions = ['whoPays', 'declined', 'change', 'join', 'tax', 'data'] as const

/** What visitors ask before they begin. */
function Questions() {
  const t = useT()
  return (
    <Section id="questions" title={t('front.questions.title')}>
      <div className="mt-6 gap-x-14 lg:columns-2">
        {questions.map((question) => (
          <details key={question} className="group break-inside-avoid border-b border-line py-4">
            <summary className="flex min-h-6 cursor-pointer list-none justify-between gap-4 rounded-control font-strong after:text-faint after:content-['+'] group-open:after:content-['−']">
              {t(`front.questions.${question}.asked`)}
            </summary>
            <p className="mt-2 max-w-[52ch] text-soft">{t(`front.questions.${question}.answer`)}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}

/** Lines of what a screen shows: on the left a name, on the right what it is, if it is anything. */
type Lines = [name: string, is?: string][]

/** What people no longer do by hand: three facts, each with a picture of the product drawn here. */
function Facts() {
  const t = useT()
  const member = t('permissions.access.role')
  const facts = {
    invite: [
      [t('users.inviteSeveral')],
      ['lena@example.com', member],
      ['kim@example.com', member],
      ['omar@example.com', t('permissions.admin.role')],
    ],
    charges: [[t('billing.summary.title')], ...charges(t)],
    handOver: [
      [t('billing.transfer.title')],
      [t('billing.transfer.choose'), 'Bob Baker'],
      [t('billing.transfer.stays')],
      [t('billing.transfer.mails')],
    ],
  } satisfies Record<string, Lines>
  return (
    <ul className="mt-9 grid gap-5 lg:grid-cols-3">
      {(Object.entries(facts) as [keyof typeof facts, Lines][]).map(([fact, lines]) => (
        <li
          key={fact}
          className={classes(cardLook, 'row-span-2 grid grid-rows-subgrid gap-0 overflow-hidden')}
        >
          <div
            aria-hidden
            className="grid min-h-48 place-items-center border-b border-line bg-sunken p-5"
          >
            <div
              className={classes(cardLook, 'grid w-full max-w-75 gap-2 p-4 text-label text-soft')}
            >
              {lines.map(([name, is]) => (
                <p
                  key={name + is}
                  className="flex justify-between gap-3 first:text-small first:font-semibold first:text-ink"
                >
                  {name}
                  <span className="font-semibold whitespace-nowrap text-ink tabular-nums">
                    {is}
                  </span>
                </p>
              ))}
            </div>
          </div>
          <div className="p-5">
            <h3 className="text-card">{t(`front.facts.${fact}.title`)}</h3>
            <p className="mt-1.5 text-soft">{t(`front.facts.${fact}.text`)}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** A change between the first two paid plans in the middle of a period, or else a first payment. */
function charges(t: Translate): Lines {
  const [from, to = from] = (plans as readonly Plan[]).filter((plan) => !plan.free && !plan.legacy)
  if (!from || !to) return []
  const former = nearestPrice(from)
  const next = nearestPrice(to, former, former.currency)
  const money = (amount: number) => formatMoney(amount, next.currency)
  const unused = Math.round(former.amount / 2)
  const remaining = Math.round(next.amount / 2)
  const plan = t(to.titleKey)
  const change: Lines = [
    [t('billing.change.lines.remaining', { plan }), money(remaining)],
    [t('billing.change.lines.unused', { plan: t(from.titleKey) }), money(-unused)],
  ]
  return [
    ...(to === from ? [] : change),
    [t('billing.change.due'), money(to === from ? next.amount : remaining - unused)],
    [`${plan} ${perInterval(next, t)}`, money(next.amount)],
  ]
}
