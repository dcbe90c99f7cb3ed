import type { CallName, CallOutput } from '#contract/calls.ts'
import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'

/** Queries that show a change before the server has confirmed it. */
const ahead = new Set<string>()

/** Reads again, but for queries that are ahead: those do when their change is done. */
export function askAgain(
  client: QueryClient,
  mayHaveChanged: (query: Query) => boolean = () => true,
) {
  void client.invalidateQueries({
    predicate: (query) => !ahead.has(query.queryHash) && mayHaveChanged(query),
  })
}

/**
 * Shows a change of a project before the server has answered. The function it returns ends that,
 * and takes a refused change back.
 */
export function useShowAtOnce(subscriptionId: string) {
  const client = useQueryClient()
  return async <Name extends CallName>(
    read: Name,
    change: (known: CallOutput<Name>) => CallOutput<Name>,
  ) => {
    const filter = { queryKey: [read, { subscriptionId }] }
    // An answer under way would show the old state again.
    await client.cancelQueries(filter)
    const queries = client.getQueryCache().findAll(filter)
    const before = client.getQueriesData<CallOutput<Name>>(filter)
    for (const { queryHash } of queries) ahead.add(queryHash)
    client.setQueriesData<CallOutput<Name>>(filter, (known) => known && change(known))
    return (isDone: boolean) => {
      for (const { queryHash } of queries) ahead.delete(queryHash)
      if (!isDone) for (const [key, known] of before) client.setQueryData(key, known)
      void client.invalidateQueries(filter)
    }
  }
}
