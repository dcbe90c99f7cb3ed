import type { Plan } from '#config/plans.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { CallError } from '../../api/post.ts'
import { mayHaveArrived } from '../../api/call.ts'
import { ButtonLink, TextLink } from '../../components/button.tsx'
import { Message, Problem } from '../../components/message.tsx'
import { useT } from '../../platform/i18n.ts'
import { PlanProblem } from '../../layouts/usage.tsx'
import { useProject } from '../../layouts/use-project.ts'

type ChangeProblemProps = { error: CallError; retry?: (() => unknown) | undefined }

export function ChangeProblem({ error, retry }: ChangeProblemProps) {
  const t = useT()
  const { plan, pathTo } = useProject()
  const { reason } = error
  // The screen is about another plan, so the project has changed to it meanwhile.
  if (reason === 'samePlan') return <AlreadyOn plan={plan} />
  if (reason === 'planTooSmall') return <PlanProblem error={error} />
  const isOfCard = reason === 'cardDeclined' || reason === 'paymentIncomplete'
  return (
    <div className="grid gap-3">
      <Problem
        error={error}
        failed={plan.free ? 'billing.change.updateFailed' : 'billing.change.failed'}
        retry={retry}
      />
      {reason === 'tooManyMembers' && <TooManyMembers error={error} />}
      {/* The form for a change from a free plan asks for a card itself. */}
      {isOfCard && !plan.free && (
        <TextLink to={pathTo('managePaymentMethods')} className="justify-self-start">
          {t('billing.overview.manageCards')}
        </TextLink>
      )}
      {reason === 'planChangeNotPaid' && (
        <TextLink to={pathTo('billing')} className="justify-self-start">
          {t('billing.overdue.toBilling')}
        </TextLink>
      )}
    </div>
  )
}

/** Says that a change is made already: by an earlier try, whose answer was lost, or in another tab. */
export function AlreadyOn({ plan }: { plan: Plan }) {
  const t = useT()
  const { pathTo } = useProject()
  return (
    <Message
      tone="good"
      action={<TextLink to={pathTo('billing')}>{t('billing.overdue.toBilling')}</TextLink>}
    >
      {t('billing.change.already', { plan: t(plan.titleKey) })}
    </Message>
  )
}

/** Whether the same call may succeed when the user tries again. */
export function mayPass({ reason }: CallError) {
  return reason === 'paymentsUnavailable' || mayHaveArrived.has(reason)
}

function TooManyMembers({ error }: { error: CallError }) {
  const t = useT()
  const { pathTo } = useProject()
  const { members = [], invited = [] } = error.details as { members?: string[]; invited?: string[] }
  return (
    <div className="grid gap-4 rounded-notice border border-line p-4">
      <People title="billing.change.members" names={members} />
      <People title="billing.change.invited" names={invited} />
      <ButtonLink to={pathTo('users')} className="justify-self-start">
        {t('billing.change.makeRoom')}
      </ButtonLink>
    </div>
  )
}

function People({ title, names }: { title: MessageKey; names: string[] }) {
  const t = useT()
  if (names.length === 0) return null
  return (
    <div>
      <h2 className="text-small font-strong">{t(title, { count: names.length })}</h2>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {Object.entries(names).map(([place, name]) => (
          <li
            key={place}
            className="rounded-control bg-sunken px-2.5 py-0.5 text-small wrap-anywhere text-soft"
          >
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
