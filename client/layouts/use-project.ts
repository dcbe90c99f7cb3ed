import { isAdmin, findPlan } from '#contract/access.ts'
import type { Plan } from '#config/plans.ts'
import type { OpenedSubscription, Subscription } from '#contract/entities.ts'
import { projectPath, type ProjectPathName } from '#contract/paths.ts'
import type { MessageKey } from '#locales/keys.ts'
import { projectName } from '#contract/project-name.ts'
import { createContext, useContext } from 'react'
import { useSession } from '../api/session.ts'
import { useT, type Translate } from '../platform/i18n.ts'

const Project = createContext<OpenedSubscription | undefined>(undefined)

export const ProjectProvider = Project.Provider

/** The project that the URL names, the signed-in user, and what they may do in it. */
export function useProject() {
  const t = useT()
  const { user } = useSession()
  const subscription = useContext(Project)
  if (!subscription) throw new Error('useProject is for screens inside SubscriptionLayout')
  return {
    user,
    subscription,
    subscriptionId: subscription.id,
    name: projectTitle(subscription, t),
    plan: findPlan(subscription.plan_id) as Plan,
    isActive: subscription.status === 'active',
    /** Why only those calls work that settle it or take something away. */
    closed: closedBecause(subscription),
    /** Whether everybody needs a second factor, now or from a date on. */
    asksForFactor: subscription.second_factor_from !== null,
    isAdmin: isAdmin(subscription, user.uid),
    isOwner: subscription.owner_id === user.uid,
    /** Undefined once their account is deleted. */
    owner: subscription.people.find(({ id }) => id === subscription.owner_id),
    pathTo: (screen: ProjectPathName) => projectPath(screen, subscription.id),
  }
}

function closedBecause({ status, access }: Subscription): MessageKey | undefined {
  if (status !== 'active') return 'errors.subscriptionCanceled'
  return access === 'lookOnly' ? 'errors.lookOnly' : undefined
}

/** The project that the URL names, or undefined on screens outside a project. */
export function useOpenProject() {
  return useContext(Project)
}

export function projectTitle({ settings }: Pick<Subscription, 'settings'>, t: Translate) {
  return projectName(settings) || t('common.untitledProject')
}
