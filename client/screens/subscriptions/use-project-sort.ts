import { useSearchParams } from 'react-router'

export const sorts = ['newest', 'name'] as const
export type Sort = (typeof sorts)[number]

const parameter = 'sort'

/** In which order the projects come, kept in the address beside their page. */
export function useProjectSort() {
  const [params, setParams] = useSearchParams()
  const sort: Sort = sorts.find((sort) => sort === params.get(parameter)) ?? 'newest'

  function sortBy(sort: Sort) {
    const next = new URLSearchParams(params)
    next.delete('page')
    if (sort === 'newest') next.delete(parameter)
    else next.set(parameter, sort)
    setParams(next, { replace: true })
  }

  return { sort, sortBy }
}
