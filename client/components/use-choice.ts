import { useQuery } from './use-query.ts'

/** A filter or sort order of a list, kept in the URL. A new choice returns to the first page. */
export function useChoice<Choice extends string>(parameter: string, choices: readonly Choice[]) {
  const [params, change] = useQuery()
  const chosen = choices.find((choice) => choice === params.get(parameter))

  /** An empty text removes the choice. */
  function choose(choice: string) {
    change((params) => {
      params.delete('page')
      if (choice) params.set(parameter, choice)
      else params.delete(parameter)
    })
  }

  return [chosen, choose] as const
}
