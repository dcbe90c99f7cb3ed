import type { Subscription } from '#contract/entities.ts'
import { tellOfChange, useAction } from '../api/call.ts'
import type { CallError } from '../api/post.ts'
import { useSession } from '../api/session.ts'
import { focusMain } from '../platform/focus-main.ts'
import { useT } from '../platform/i18n.ts'
import { toast } from '../platform/toasts.ts'

type Planned = Pick<Subscription, 'id' | 'owner_id' | 'status' | 'ends_by' | 'next_plan'>

const words = {
  resumeSubscription: { label: 'billing.planned.keep', done: 'billing.planned.kept' },
  undoPlanChange: { label: 'billing.planned.undo', done: 'billing.planned.undone' },
} as const

/** The call by which the owner takes back what they have planned. Undefined if there is nothing. */
function takesBack(
  { owner_id: owner, status, ends_by: by, next_plan: next }: Planned,
  uid: string,
) {
  if (owner !== uid || status !== 'active') return undefined
  if (by === 'owner') return 'resumeSubscription'
  return next?.by === 'owner' ? 'undoPlanChange' : undefined
}

/** Takes back, with one call, what the owner has planned for the end of the paid period. */
export function useTakeBack(project: Planned | undefined, onRefused?: (error: CallError) => void) {
  const t = useT()
  const { user } = useSession()
  const name = project && takesBack(project, user.uid)
  const { busy, error, run } = useAction(name ?? 'resumeSubscription', refused)

  function refused(error: CallError) {
    onRefused?.(error)
    // Another tab was first, or the time has come.
    if (error.reason === 'nothingToUndo') tellOfChange()
  }

  async function takeBack() {
    if (!project || !name || !(await run({ subscriptionId: project.id }))) return
    toast(t(words[name].done))
    // The button is gone.
    focusMain()
  }

  return { offer: name && { name, ...words[name] }, busy, error, takeBack }
}
