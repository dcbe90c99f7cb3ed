import { activityAreas, type ActivityArea } from '#contract/activity.ts'
import { useQuery } from '../../components/use-query.ts'

const parameter = 'area'

/** What of the activity is shown, kept in the address beside its page; nothing for everything. */
export function useArea() {
  const [params, change] = useQuery()
  const area = activityAreas.find((area) => area === params.get(parameter))

  function choose(area: ActivityArea | undefined) {
    change((params) => {
      params.delete('page')
      if (area) params.set(parameter, area)
      else params.delete(parameter)
    })
  }

  return { area, choose }
}
