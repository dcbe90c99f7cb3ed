import { isAdmin, findPlan } from '#contract/access.ts'
import type { Plan } from '#config/plans.ts'
import type { Subscription } from '#contract/entities.ts'
import { projectName } from '#contract/project-name.ts'
import { createContext, useContext } from 'react'
import { useSession } from '../api/use-session.tsx'
import { useT, type Translate } from '../i18n.ts'

type OnScreen = {
  subscription: Subscription
  /** Has something done as soon as the project is no longer on screen; at once, if it isn't. */
  whenGone: (act: () => void) => void
}

const Project = createContext<OnScreen | undefined>(undefined)

export const ProjectProvider = Project.Provider

/** The project that the address names, and the signed-in person's standing in it. */
export function useProject() {
  const t = useT()
  const { user } = useSession()
  const project = useContext(Project)
  if (!project) throw new Error('useProject is for screens inside SubscriptionLayout')
  const { subscription, whenGone } = project
  return {
    subscription,
    whenGone,
    name: projectTitle(subscription, t),
    plan: findPlan(subscription.plan_id) as Plan,
    isActive: subscription.status === 'active',
    isAdmin: isAdmin(subscription, user.uid),
    isOwner: subscription.owner_id === user.uid,
  }
}

/** The same project, or undefined where no project is open. */
export function useOpenProject() {
  return useContext(Project)?.subscription
}

export function projectTitle({ settings }: Pick<Subscription, 'settings'>, t: Translate) {
  return projectName(settings) || t('common.untitledProject')
}
