import { useProject } from '../../layouts/use-project.ts'
import { ActivityPage } from './activity-page.tsx'

export function Activity() {
  const { subscriptionId, name } = useProject()
  return <ActivityPage project={{ id: subscriptionId, name }} />
}
