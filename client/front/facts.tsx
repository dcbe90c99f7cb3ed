import { plans, type Plan } from '#config/plans.ts'
import { formatMoney } from '#contract/money.ts'
import { perInterval } from '#contract/price-words.ts'
import { nearestPrice } from '#contract/prices.ts'
import type { Translate } from '#locales/translator.ts'
import { cardLook, classes } from '../components/classes.ts'
import { useT } from '../platform/i18n.ts'

/** Lines of what a screen shows: on the left a name, on the right what it is, if it is anything. */
type Lines = [name: string, is?: string][]

/** What people no longer do by hand: three facts, each with a picture of the product drawn here. */
export function Facts() {
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
    [`${plan}, ${perInterval(next, t)}`, money(next.amount)],
  ]
}
