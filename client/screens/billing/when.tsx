import type { At } from '#contract/plan.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n.ts'

type WhenProps = {
  legend: MessageKey
  /** When the paid period ends. */
  date: string
  /** What is lost if it is now. */
  loss?: ReactNode
  chosen: At
  /** Once the choice is sent, it stays. */
  disabled: boolean
  onChoose: (at: At) => void
}

const moments = ['periodEnd', 'now'] as const satisfies readonly At[]

/** Chooses between the end of the paid period and now. */
export function When({ legend, date, loss, chosen, disabled, onChoose }: WhenProps) {
  const t = useT()
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1.5 text-small font-strong">{t(legend)}</legend>
      <div className="grid divide-y divide-line rounded-notice border border-line">
        {moments.map((at) => (
          <label key={at} className="flex items-center gap-3 px-4 py-3">
            <input
              type="radio"
              name="at"
              value={at}
              checked={at === chosen}
              onChange={() => onChoose(at)}
              className="tick"
            />
            <span className="grid">
              <span className="font-medium text-balance tabular-nums">
                {t(`billing.planned.at.${at}`, { date })}
              </span>
              {at === 'now' && loss && <span className="text-small text-soft">{loss}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
