import { activityAreas } from '#contract/activity.ts'
import { usePagedCall } from '../../api/queries.tsx'
import { useChoice } from '../../components/use-choice.ts'
import { usePages } from '../../components/use-pages.ts'
import { ActivityPage } from './activity-page.tsx'

export function OwnActivity() {
  const pages = usePages()
  const [area, chooseArea] = useChoice('area', activityAreas)
  const found = usePagedCall('listOwnActivity', { area }, pages)
  return <ActivityPage {...{ found, pages, area, chooseArea }} />
}
