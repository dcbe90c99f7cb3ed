import type { CallName, CallOutput } from '#contract/calls.ts'
import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'

/** What shows a change that the server has not confirmed. */
const ahead = new Set<string>()

/** What has been read is asked for again; not where the answer would take back a change that is under way, which asks when it is over. */
export function askAgain(
  client: QueryClient,
  mayHaveChanged: (query: Query) => boolean = () => true,
) {
  void client.invalidateQueries({
    predicate: (query) => !ahead.has(query.queryHash) && mayHaveChanged(query),
  })
}

/** Shows a change of a project in what has been read of it before the server has answered. Gives what ends that: as it was, if it was refused. */
export function useShowAtOnce(subscriptionId: string) {
  const client = useQueryClient()
  return async <Name extends CallName>(
    read: Name,
    change: (known: CallOutput<Name>) => CallOutput<Name>,
  ) => {
    const filter = { queryKey: [read, { subscriptionId }] }
    // An answer that is on its way would show the old state again.
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
