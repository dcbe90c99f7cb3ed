import { billing } from '#config/billing.ts'
import { limits } from '#config/limits.ts'
import type { Plan } from '#config/plans.ts'
import { findPlan } from '#contract/access.ts'
import type { PlanChangePreview, PreviewLine, Subscription } from '#contract/entities.ts'
import { priceWords } from '#contract/price-words.ts'
import { soldCurrencies } from '#contract/prices.ts'
import type { ReactNode } from 'react'
import { classes } from '../../components/classes.ts'
import type { CallError } from '../../api/post.ts'
import { useSession } from '../../api/session.ts'
import { LiveProblem, Message } from '../../components/message.tsx'
import { Bone, Skeleton } from '../../components/skeleton.tsx'
import { useFormat } from '../../platform/format.ts'
import { useT } from '../../platform/i18n.ts'
import { cardName, type Card } from './card-words.ts'
import { useDiscountWords } from './plan-line.tsx'
import { useTakesBack } from './planned.tsx'
import { freePlan, namesOf, type Offer } from './plans.ts'

type SummaryProps = {
  preview: PlanChangePreview | undefined
  error: CallError | null
  retry: () => unknown
  /** The present plan. Missing for a new project. */
  from?: Offer & Subscription
  to: Offer
  card?: Card | undefined
  /** The payment is the project's first, which fixes the currency of the others. */
  fixesCurrency?: boolean
}

/** Shows what a plan costs. Every sum comes from the payment provider. */
export function Summary({ preview, error, retry, ...change }: SummaryProps) {
  const t = useT()
  return (
    <section
      aria-label={t('billing.summary.title')}
      className="grid gap-4 rounded-notice bg-sunken p-4"
    >
      {preview && <Amounts preview={preview} {...change} />}
      {!preview && !error && <SummarySkeleton />}
      <LiveProblem error={preview ? null : error} failed="billing.summary.failed" retry={retry} />
    </section>
  )
}

type AmountsProps = Omit<SummaryProps, 'preview' | 'error' | 'retry'> & {
  preview: PlanChangePreview
}

const day = 24 * 3_600_000
const nothing = { ends: null, ends_by: null, next_plan: null }

function Amounts({ preview, from, to, card, fixesCurrency = false }: AmountsProps) {
  const t = useT()
  const format = useFormat()
  const { currency, lines, starts, credit_used, credited, credit_left, recurring, next_charge } =
    preview
  const discountWords = useDiscountWords()
  const { trial_ends: trialEnds } = preview
  const charged = trialEnds ?? (starts === 'now' ? null : starts)
  const later = charged === null ? '' : format.billingDate(charged)
  const due = later ? lines.reduce((sum, { amount }) => sum + amount, -credit_used) : preview.due
  const takesBack = useTakesBack(from ?? nothing, starts === 'now' ? undefined : to)
  const money = (amount: number) => format.money(amount, currency)
  const isPurchase = from === undefined || from.plan.free
  const isCardLater = !isPurchase || to.plan.trial?.card === 'later'
  const isTaxed = lines.some(({ kind }) => kind === 'tax')
  return (
    <>
      <p className="text-lead font-semibold">
        {from ? t('billing.change.fromTo', namesOf(from, to, t)) : t(to.plan.titleKey)}
      </p>
      {lines.length + due + credited > 0 && (
        <dl className="grid gap-2 tabular-nums">
          {Object.entries(lines).map(([place, line]) => (
            <Row
              key={place}
              name={t(`billing.change.lines.${line.kind === 'week' ? 'period' : line.kind}`, {
                plan: t(planOf(line, from?.plan, to.plan).titleKey),
              })}
            >
              {money(line.amount)}
            </Row>
          ))}
          {credit_used > 0 && (
            <Row name={t('billing.change.creditUsed')}>{money(-credit_used)}</Row>
          )}
          <Row
            name={t(dueWords(later, card && due > 0), {
              date: later,
              card: card ? cardName(card) : '',
            })}
            isTotal
          >
            {money(due)}
          </Row>
          {credited > 0 && <Row name={t('billing.change.credited')}>{money(credited)}</Row>}
        </dl>
      )}
      {recurring && next_charge !== null && (
        <>
          <p className="text-balance! text-soft tabular-nums">
            {t(thenWords(later, isTaxed), {
              due: money(due),
              price: priceWords(recurring, t),
              date: later || format.billingDate(next_charge),
            })}
            {preview.discount && ` ${discountWords(preview.discount, recurring)}`}
            {credit_left > 0 && ` ${t('billing.change.creditFirst')}`}
          </p>
          <Terms currency={fixesCurrency && soldCurrencies.length > 1 ? currency : undefined}>
            {trialEnds !== null && <TrialTerms date={later} isWithoutCard={isCardLater && !card} />}
          </Terms>
          {to.plan.trial && trialEnds === null && isPurchase && <VerifyFirst plan={to.plan} />}
        </>
      )}
      {to.plan.free && from && !from.plan.free && (
        <Message tone="warn">
          {later
            ? t('billing.change.toFreeLater', { date: later, plan: t(to.plan.titleKey) })
            : t('billing.change.toFree')}
        </Message>
      )}
      {takesBack && <p>{takesBack}</p>}
    </>
  )
}

function dueWords(later: string, isWithCard: boolean | undefined) {
  if (later) return isWithCard ? 'billing.change.dueOnWith' : 'billing.change.dueOn'
  return isWithCard ? 'billing.change.dueWith' : 'billing.change.due'
}

function thenWords(later: string, isTaxed: boolean) {
  if (later) return isTaxed ? 'billing.change.laterTaxed' : 'billing.change.later'
  return isTaxed ? 'billing.change.thenTaxed' : 'billing.change.then'
}

const cancelTerms = {
  now: billing.refundUnused ? 'billing.summary.cancelRefunded' : 'billing.summary.cancel',
  atPeriodEnd: 'billing.summary.cancelAtEnd',
  choice: billing.refundUnused
    ? 'billing.summary.cancelChoiceRefunded'
    : 'billing.summary.cancelChoice',
} as const
const freeTerms = {
  now: 'billing.summary.orFree',
  atPeriodEnd: 'billing.summary.orFreeAtEnd',
  choice: 'billing.summary.orFreeChoice',
} as const

type TermsProps = { currency: string | undefined; children: ReactNode }

function Terms({ currency, children }: TermsProps) {
  const t = useT()
  return (
    <ul className="grid gap-1.5 text-small text-soft">
      {children}
      <li>{t('billing.summary.renews')}</li>
      {currency && <li>{t('billing.summary.currency', { currency: currency.toUpperCase() })}</li>}
      <li>{t(cancelTerms[billing.cancel])}</li>
      {freePlan && <li>{t(freeTerms[billing.smallerPlan], { plan: t(freePlan.titleKey) })}</li>}
    </ul>
  )
}

/** What happens at the end of a trial. */
function TrialTerms({ date, isWithoutCard }: { date: string; isWithoutCard: boolean }) {
  const t = useT()
  const count = limits.trialOver / day
  const plan = freePlan ? t(freePlan.titleKey) : ''
  return (
    <>
      <li>{t('billing.summary.trialCancel', { date })}</li>
      {isWithoutCard && (
        <li>
          {t(freePlan ? 'billing.summary.trialNoCardFree' : 'billing.summary.trialNoCard', {
            date,
            plan,
            count,
          })}
        </li>
      )}
    </>
  )
}

/** Who has not verified the address has no trial yet. */
function VerifyFirst({ plan }: { plan: Plan }) {
  const t = useT()
  const { user } = useSession()
  if (user.claimed) return null
  return (
    <Message tone="neutral">
      {t('billing.summary.trialVerify', {
        count: plan.trial!.days,
        email: user.email,
        plan: t(plan.titleKey),
      })}
    </Message>
  )
}

type RowProps = { name: string; isTotal?: boolean; children: ReactNode }

function Row({ name, isTotal = false, children }: RowProps) {
  return (
    <div
      className={classes(
        'flex items-baseline justify-between gap-6',
        isTotal && 'border-t border-line pt-2 font-semibold',
      )}
    >
      <dt className={classes('min-w-0', !isTotal && 'text-soft')}>{name}</dt>
      <dd className="shrink-0">{children}</dd>
    </div>
  )
}

function planOf({ kind, plan_id }: PreviewLine, from: Plan | undefined, to: Plan) {
  return findPlan(plan_id ?? '') ?? (kind === 'unused' && from ? from : to)
}

export function SummarySkeleton() {
  return (
    <Skeleton className="grid gap-4">
      <Bone className="h-4 w-2/5" />
      {[0, 1, 2].map((key) => (
        <div key={key} className="flex justify-between">
          <Bone className="h-3.5 w-2/5" />
          <Bone className="h-3.5 w-14" />
        </div>
      ))}
      <Bone className="h-3.5 w-3/5" />
    </Skeleton>
  )
}
