import type { Plan } from '#config/plans.ts'
import type { MessageKey } from '#locales/keys.ts'
import { useT } from '../../i18n.ts'

/** The features that only one of the two plans has. */
export function PlanDifference({ from, to }: { from: Plan; to: Plan }) {
  return (
    <div className="grid gap-4 rounded-notice bg-sunken px-4 py-3 sm:grid-cols-2">
      <Features title="billing.change.before" plan={from} without={to} />
      <Features title="billing.change.after" plan={to} without={from} />
    </div>
  )
}

function Features({ title, plan, without }: { title: MessageKey; plan: Plan; without: Plan }) {
  const t = useT()
  const others = new Set(without.descriptionKeys.map((key) => t(key)))
  const own = plan.descriptionKeys.map((key) => t(key)).filter((text) => !others.has(text))
  if (own.length === 0) return null
  return (
    <div>
      <h2 className="text-small font-strong">{t(title, { plan: t(plan.titleKey) })}</h2>
      <ul className="mt-1 grid gap-0.5 text-small text-soft">
        {own.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}
