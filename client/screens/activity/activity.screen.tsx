import type { ActivityArea } from '#contract/activity.ts'
import { usePagedCall } from '../../api/queries.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useSearch } from '../../components/use-search.ts'
import { useT } from '../../i18n.ts'
import { useProject } from '../../layouts/use-project.ts'
import { ActivityPage } from './activity-page.tsx'
import { useArea } from './use-area.tsx'

/** The activity of an account is for its user alone. */
const areas: ActivityArea[] = ['project', 'billing', 'people']

export function Activity() {
  const t = useT()
  const { subscriptionId, name } = useProject()
  const pages = usePages()
  const search = useSearch()
  const area = useArea(areas)
  const input = { subscriptionId, ...area.input, ...search.input }
  const found = usePagedCall('listActivity', input, pages)
  return (
    <ActivityPage
      title="activity.title"
      intro="activity.intro"
      noMatch="activity.noMatch"
      downloads={{ name: `${name} ${t('activity.title')}`, subscriptionId }}
      {...{ found, pages, area, search }}
    />
  )
}
