import { Check } from 'lucide-react'
import { Card } from '../../components/card.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { focusMain } from '../../platform/focus-main.ts'
import { useT } from '../../platform/i18n.ts'
import type { Step } from './use-steps.ts'

type FirstStepsProps = { steps: Step[]; hide: () => void }

export function FirstSteps({ steps, hide }: FirstStepsProps) {
  const t = useT()

  function putAway() {
    hide()
    focusMain()
  }

  return (
    <Card
      title={t('home.steps.title')}
      action={
        <Button variant="quiet" onClick={putAway} className="-me-2">
          {t('home.steps.hide')}
        </Button>
      }
      className="min-w-0"
      flush
    >
      <ul className="grid px-inset py-2">
        {steps.map((step) => (
          <li key={step.says} className="flex min-h-11 items-center gap-3">
            {step.isDone ? (
              <>
                <span className="grid size-5 shrink-0 place-items-center rounded-full bg-good-soft text-good forced-colors:border">
                  <Check className="size-3.5" />
                </span>
                <span className="text-soft">{t(step.says)}</span>
                <span className="sr-only">{t('home.steps.done')}</span>
              </>
            ) : (
              <>
                <span className="size-5 shrink-0 rounded-full border-2 border-line-strong" />
                <TextLink to={step.to} className="py-2.5">
                  {t(step.says)}
                </TextLink>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
