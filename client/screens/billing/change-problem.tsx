import type { ProjectPathName } from '#contract/paths.ts'
import type { Reason } from '#contract/refusals.ts'
import type { MessageKey } from '#locales/keys.ts'
import type { CallError } from '../../api/post.ts'
import { Problem } from '../../components/problem.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { TooManyMembers } from './too-many-members.tsx'

type Way = [ProjectPathName, MessageKey]

const toCards: Way = ['managePaymentMethods', 'billing.overview.manageCards']
const toBilling: Way = ['billing', 'billing.overdue.toBilling']

/** Where it can be put right. */
const ways: Partial<Record<Reason, Way>> = {
  cardDeclined: toCards,
  paymentIncomplete: toCards,
  planChangeNotPaid: toBilling,
}

type ChangeProblemProps = { error: CallError; retry?: (() => void) | undefined }

/** Why the plan can't be changed, and the way to where that can be changed. */
export function ChangeProblem({ error, retry }: ChangeProblemProps) {
  const t = useT()
  const { plan, pathTo } = useProject()
  const [path, words] = ways[error.reason as Reason] ?? []
  // Coming from a free plan, the card is the one just typed in.
  const isShown = path && words && !(plan.free && path === 'managePaymentMethods')
  return (
    <div className="grid gap-3">
      <Problem
        error={error}
        failed={plan.free ? 'billing.change.updateFailed' : 'billing.change.failed'}
        retry={retry}
      />
      {error.reason === 'tooManyMembers' && <TooManyMembers error={error} />}
      {isShown && (
        <TextLink to={pathTo(path)} className="justify-self-start">
          {t(words)}
        </TextLink>
      )}
    </div>
  )
}
