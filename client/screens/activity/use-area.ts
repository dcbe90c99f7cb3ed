import { activityAreas, type ActivityArea } from '#contract/activity.ts'
import { useSearchParams } from 'react-router'

const parameter = 'area'

/** What of the activity is shown, kept in the address beside its page; nothing for everything. */
export function useArea() {
  const [params, setParams] = useSearchParams()
  const area = activityAreas.find((area) => area === params.get(parameter))

  function choose(area: ActivityArea | undefined, also = new URLSearchParams(params)) {
    also.delete('page')
    if (area) also.set(parameter, area)
    else also.delete(parameter)
    setParams(also, { replace: true })
  }

  /** Together with what is searched for. */
  function showAll() {
    const rest = new URLSearchParams(params)
    rest.delete('search')
    choose(undefined, rest)
  }

  return { area, choose, showAll }
}
