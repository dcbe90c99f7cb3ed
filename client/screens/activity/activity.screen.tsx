import { activityAreas } from '#contract/activity.ts'
import { usePagedCall } from '../../api/queries.tsx'
import { useChoice } from '../../components/use-choice.ts'
import { usePages } from '../../components/use-pages.ts'
import { useSearch } from '../../components/use-search.ts'
import { useProject } from '../../layouts/use-project.ts'
import { ActivityPage } from './activity-page.tsx'

export function Activity() {
  const { subscriptionId, name } = useProject()
  const pages = usePages()
  const search = useSearch()
  const [area, chooseArea] = useChoice('area', activityAreas)
  const input = { subscriptionId, area, search: search.search }
  const found = usePagedCall('listActivity', input, pages)
  return (
    <ActivityPage
      project={{ id: subscriptionId, name }}
      {...{ found, pages, area, chooseArea, search }}
    />
  )
}
