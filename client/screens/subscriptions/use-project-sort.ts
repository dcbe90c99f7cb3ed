import { useQuery } from '../../components/use-query.ts'

export const sorts = ['newest', 'name'] as const
export type Sort = (typeof sorts)[number]

const parameter = 'sort'

/** In which order the projects come, kept in the address beside their page. */
export function useProjectSort() {
  const [params, change] = useQuery()
  const sort: Sort = sorts.find((sort) => sort === params.get(parameter)) ?? 'newest'

  function sortBy(sort: Sort) {
    change((params) => {
      params.delete('page')
      if (sort === 'newest') params.delete(parameter)
      else params.set(parameter, sort)
    })
  }

  return { sort, sortBy }
}
